#pragma once

#include <iosfwd>
#include <streambuf>
#include <string>
#include <string_view>

namespace ulp::cli {

struct TerminalCode;

/// Lets a terminal show what is written and obey nothing of it (visibleText()): names in files of
/// others may hold codes that erase lines, change titles or type commands. What it shall obey is
/// written as TerminalCode.
class TerminalText final : public std::streambuf {
 public:
  /// `terminal` must outlive it.
  explicit TerminalText(std::streambuf& terminal) : m_terminal(terminal) {}
  ~TerminalText() override { TerminalText::sync(); }
  TerminalText(const TerminalText&) = delete;
  TerminalText& operator=(const TerminalText&) = delete;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int_type overflow(int_type character) override;
  int sync() override;

 private:
  friend std::ostream& operator<<(std::ostream& stream, const TerminalCode& code);

  bool write(std::string_view text);

  std::streambuf& m_terminal;
  std::string m_unfinished;  ///< bytes of a character whose end is not there yet
};

/// A code of ours that the terminal behind a stream obeys; other streams get its bytes.
struct TerminalCode {
  std::string_view code;
};
std::ostream& operator<<(std::ostream& stream, const TerminalCode& code);

/// Empties the line in which the terminal stands.
inline constexpr TerminalCode kEraseLine{"\r\033[K"};

}  // namespace ulp::cli
