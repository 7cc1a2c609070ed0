#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "app/cli/command.h"

namespace ulp::cli {

/// "comparing 42 %", one line on a terminal that is drawn again and wiped away in the end; nothing
/// elsewhere, and nothing where `isQuiet`.
class ProgressLine {
 public:
  ProgressLine(const CommandContext& context, std::string action, bool isQuiet = false);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::ostream& m_err;
  std::string m_action;
  bool m_isShown;
  int m_percent = -1;
};

}  // namespace ulp::cli
