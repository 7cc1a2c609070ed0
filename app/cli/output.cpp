#include "app/cli/output.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ostream>
#include <utility>

#include "app/cli/terminal_text.h"
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
  ULP_TRY(writeFileAtomically(path, content, LinkPolicy::Follow));
  fmt::print(context.err, "wrote {} ({})\n", path.string(), formatBytes(content.size()));
  return {};
}

Result<> showOutput(const std::filesystem::path& path,
                    const std::string& content,
                    const CommandContext& context) {
  if (!isStandardOutput(path)) {
    return writeOutput(path, content, context);
  }
  context.out << content;
  return {};
}

bool isStandardOutput(const std::filesystem::path& path) {
  return path.empty() || path == "-";
}

ProgressLine::ProgressLine(const CommandContext& context, std::string action, bool isQuiet)
    : m_err(context.err),
      m_action(std::move(action)),
      m_isShown(context.errIsTerminal && !isQuiet) {}

ProgressLine::~ProgressLine() {
  if (m_isShown && m_percent >= 0) {
    m_err << kEraseLine;
  }
}

void ProgressLine::operator()(std::uint64_t done, std::uint64_t total) {
  const int percent = total == 0 ? 0 : static_cast<int>(done * 100 / total);
  if (m_isShown && percent != m_percent) {
    m_percent = percent;
    m_err << kEraseLine << m_action << ' ' << percent << " %" << std::flush;
  }
}

}  // namespace ulp::cli
