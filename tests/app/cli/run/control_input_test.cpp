#include "app/cli/run/control_input.h"

#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

TEST(ControlLine, NamesTheVariantToSkip) {
  EXPECT_EQ(*parseControlLine("skip bf16"), "bf16");
  EXPECT_EQ(*parseControlLine("  skip   two words \r"), "two words");
}

TEST(ControlLine, SaysWhatIsUnderstood) {
  for (const char* line : {"skip", "skip ", "skipbf16", "stop", "SKIP bf16"}) {
    const auto parsed = parseControlLine(line);
    ASSERT_FALSE(parsed.has_value()) << line;
    EXPECT_NE(parsed.error().message().find("skip VARIANT"), std::string::npos);
  }
  EXPECT_LT(parseControlLine(std::string(5000, 'x')).error().message().size(), 200U);
}

TEST(ControlInput, TakesLinesInPiecesAndEndsWhileItWaits) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  auto skips = std::make_shared<worker::SkipRequests>();
  {
    const auto input = readControlInput(ends[0], skips);
    ASSERT_TRUE(input.has_value());
    for (const std::string piece : {"sk", "ip bf", "16\nskip fp16\nskip half"}) {
      ASSERT_EQ(::write(ends[1], piece.data(), piece.size()), static_cast<ssize_t>(piece.size()));
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!skips->isAsked("fp16") && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  EXPECT_EQ(skips->takeNew(), (std::vector<std::string>{"bf16", "fp16"}));
  EXPECT_FALSE(skips->isAsked("half")) << "a line without its end is no command";
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace ulp::cli
