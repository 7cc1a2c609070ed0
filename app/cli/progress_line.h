#pragma once

#include <cstdint>
#include <string>

#include "app/cli/command.h"

namespace ulp::cli {

/// One line on a terminal, "comparing 42 %", redrawn and taken away in the end; nothing elsewhere.
class ProgressLine {
 public:
  ProgressLine(const CommandContext& context, std::string what, bool isQuiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::ostream& m_err;
  std::string m_what;
  bool m_isShown;
  int m_percent = -1;
};

}  // namespace ulp::cli
