#include "app/cli/output_file.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ostream>

#include "core/base/files/atomic_file.h"
#include "core/base/text/format_number.h"

namespace ulp::cli {

Result<> checkFolder(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: the folder {} does not exist", path.string(), folder.string()));
  }
  return {};
}

Result<> writeOutput(const std::filesystem::path& path,
                     const std::string& content,
                     const CommandContext& context) {
  ULP_TRY(checkFolder(path));
  ULP_TRY(writeFileAtomically(path, content));
  fmt::print(context.err, "wrote {} ({})\n", path.string(), formatBytes(content.size()));
  return {};
}

Result<> showOutput(const std::filesystem::path& path,
                    const std::string& content,
                    const CommandContext& context) {
  if (!path.empty()) {
    return writeOutput(path, content, context);
  }
  context.out << content;
  return {};
}

}  // namespace ulp::cli
