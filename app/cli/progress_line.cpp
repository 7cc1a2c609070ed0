#include "app/cli/progress_line.h"

#include <fmt/ostream.h>
#include <ostream>
#include <utility>

namespace ulp::cli {

ProgressLine::ProgressLine(const CommandContext& context, std::string what, bool isQuiet)
    : m_err(context.err), m_what(std::move(what)), m_isShown(context.errIsTerminal && !isQuiet) {}

ProgressLine::~ProgressLine() {
  if (m_percent >= 0) {
    fmt::print(m_err, "\r\033[K");
  }
}

void ProgressLine::show(std::uint64_t done, std::uint64_t total) {
  const int percent = total == 0 ? 0 : static_cast<int>(done * 100 / total);
  if (m_isShown && percent != m_percent) {
    m_percent = percent;
    fmt::print(m_err, "\r{} {} %\033[K", m_what, percent);
    m_err.flush();
  }
}

}  // namespace ulp::cli
