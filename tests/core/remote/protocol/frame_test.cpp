#include "core/remote/protocol/frame.h"

#include <gtest/gtest.h>

namespace ulp::remote {
namespace {

TEST(RemoteFrame, ComesThroughInWhateverPieces) {
  const Frame first{.head = json::Object{{"ask", "put"}, {"number", 7}},
                    .bytes = std::string("\0\n\xff", 3)};
  const Frame second{.head = json::Object{{"say", "state"}}};
  const std::string stream = encoded(first) + encoded(second);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.feed(std::string_view(stream).substr(at, piece));
      while (auto frame = reader.next().value()) {
        frames.push_back(*frame);
      }
    }
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].head.at("ask").text(), "put");
    EXPECT_EQ(frames[0].head.at("number").integer(), 7);
    EXPECT_EQ(frames[0].bytes, first.bytes);
    EXPECT_EQ(frames[1].head.at("say").text(), "state");
    EXPECT_EQ(frames[1].bytes, "");
  }
}

TEST(RemoteFrame, RefusesWhatIsNone) {
  FrameReader large;
  large.feed(std::string(8, '\xff'));
  EXPECT_EQ(large.next().error().code(), ErrorCode::CorruptData);
  FrameReader text;
  std::string bytes = encoded({.head = json::Object{}});
  bytes[8] = '[';
  text.feed(bytes);
  EXPECT_EQ(text.next().error().code(), ErrorCode::CorruptData);
}

TEST(RemoteFrame, CarriesErrors) {
  for (const ErrorCode code : {ErrorCode::NotFound, ErrorCode::Cancelled, ErrorCode::Io}) {
    const auto error = errorOf(errorFrame({code, "file: what; remedy"}));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), code);
    EXPECT_EQ(error->message(), "file: what; remedy");
  }
  EXPECT_FALSE(errorOf({.head = json::Object{{"phase", "over"}}}));
  EXPECT_EQ(errorOf({.head = json::Object{{"error", "x"}, {"code", "of a newer version"}}})->code(),
            ErrorCode::Internal);
}

}  // namespace
}  // namespace ulp::remote
