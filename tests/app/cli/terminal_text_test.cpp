#include "app/cli/terminal_text.h"

#include <ostream>
#include <sstream>

#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

class TerminalTextTest : public testing::Test {
 protected:
  std::stringbuf m_terminal;
  TerminalText m_text{m_terminal};
  std::ostream m_stream{&m_text};
};

TEST_F(TerminalTextTest, ShowsCodesOfOthersAndObeysOurs) {
  m_stream << TerminalCode{"\033[31m"} << "run \033[2J\a" << kEraseLine << 'x' << '\033' << "\nend";
  EXPECT_EQ(m_terminal.str(), "\033[31mrun \\x1b[2J\\x07\r\033[Kx\\x1b\nend");
}

TEST_F(TerminalTextTest, KeepsCharactersThatComeInPieces) {
  for (const char byte : std::string("é→\u202e🙂")) {
    m_stream << byte;
  }
  EXPECT_EQ(m_terminal.str(), "é→\\u202e🙂");
}

TEST_F(TerminalTextTest, ShowsTheBytesOfACharacterThatNeverEnds) {
  m_stream << "a\xe2\x80" << std::flush << "b\x80";
  EXPECT_EQ(m_terminal.str(), "a\\xe2\\x80b\\x80");
}

TEST(TerminalCode, IsTextForStreamsThatAreNoTerminals) {
  std::ostringstream stream;
  stream << kEraseLine << "a\033";
  EXPECT_EQ(stream.str(), "\r\033[Ka\033");
}

}  // namespace
}  // namespace ulp::cli
