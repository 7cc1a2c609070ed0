#include "app/cli/terminal_text.h"

#include <algorithm>
#include <ostream>

#include "core/base/text/utf8.h"
#include "core/base/text/visible_text.h"

namespace ulp::cli {
namespace {

constexpr std::size_t kLongestCharacter = 4;

/// Bytes of the end of a text that may be the beginning of a character.
std::size_t unfinishedBytes(std::string_view text) {
  for (std::size_t count = 1; count < kLongestCharacter && count <= text.size(); ++count) {
    const auto byte = static_cast<unsigned char>(text[text.size() - count]);
    if ((byte & 0xC0U) != 0x80U) {
      const bool isLead = byte >= 0xC0U;
      return isLead && wellFormedSizeAt(text, text.size() - count) == 0 ? count : 0;
    }
  }
  return 0;
}

}  // namespace

bool TerminalText::write(std::string_view text) {
  const std::string visible = visibleText(text);
  const auto size = static_cast<std::streamsize>(visible.size());
  return m_terminal.sputn(visible.data(), size) == size;
}

std::streamsize TerminalText::xsputn(const char* text, std::streamsize size) {
  m_unfinished.append(text, static_cast<std::size_t>(size));
  const std::size_t rest = unfinishedBytes(m_unfinished);
  const bool isWritten =
      write(std::string_view(m_unfinished).substr(0, m_unfinished.size() - rest));
  m_unfinished.erase(0, m_unfinished.size() - rest);
  return isWritten ? size : 0;
}

TerminalText::int_type TerminalText::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) {
    return traits_type::not_eof(character);
  }
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

int TerminalText::sync() {
  const bool isWritten = m_unfinished.empty() || write(m_unfinished);
  m_unfinished.clear();
  return isWritten ? m_terminal.pubsync() : -1;
}

std::ostream& operator<<(std::ostream& stream, const TerminalCode& code) {
  auto* const terminal = dynamic_cast<TerminalText*>(stream.rdbuf());
  if (terminal == nullptr) {
    return stream << code.code;
  }
  static_cast<void>(
      terminal->m_terminal.sputn(code.code.data(), static_cast<std::streamsize>(code.code.size())));
  return stream;
}

}  // namespace ulp::cli
