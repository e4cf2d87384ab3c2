-- For ~/.config/nvim/lsp/tegula.lua (Neovim 0.11); then `vim.lsp.enable("tegula")` in init.lua.
-- `:TegulaIr PASS` and `:TegulaAsm FUNCTION` show documents made from the program in the buffer.

vim.filetype.add({ extension = { mlir = "mlir", td = "tablegen" } })

local function show(document, filetype)
  local source = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ bufnr = source, name = "tegula" })[1]
  if not client then
    return vim.notify("tegula does not serve this buffer", vim.log.levels.ERROR)
  end
  local params = { uri = vim.uri_from_bufnr(source), document = document }
  client:request("tegula/document", params, function(err, result)
    if err then
      return vim.notify(err.message, vim.log.levels.ERROR)
    end
    vim.cmd.vnew()
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = "nofile", "wipe", filetype
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(result.text, "\n"))
    vim.bo.modifiable = false
  end, source)
end

vim.api.nvim_create_user_command("TegulaIr", function(args)
  show("ir-after/" .. args.args, "mlir")
end, { nargs = 1 })
vim.api.nvim_create_user_command("TegulaAsm", function(args)
  show("assembly-of/" .. args.args, "asm")
end, { nargs = 1 })

return {
  cmd = { "tegula", "lsp" },
  filetypes = { "mlir", "tablegen" },
  root_markers = { ".git" },
  init_options = { includes = {} },
}
