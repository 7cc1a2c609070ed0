#include "core/base/files/in_pieces.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

TEST(InPieces, EveryByteComesOnceAndInOrder) {
  std::vector<std::byte> bytes(2 * kPieceBytes + 5);
  bytes[kPieceBytes] = std::byte{1};
  bytes.back() = std::byte{2};
  std::vector<std::byte> seen;
  std::vector<std::size_t> sizes;
  const auto done = inPieces(bytes, nullptr, [&](std::span<const std::byte> piece) {
    seen.insert(seen.end(), piece.begin(), piece.end());
    sizes.push_back(piece.size());
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(seen, bytes);
  EXPECT_THAT(sizes, testing::ElementsAre(kPieceBytes, kPieceBytes, 5));
}

TEST(InPieces, AStopEndsThemBetweenTwo) {
  const std::vector<std::byte> bytes(3 * kPieceBytes);
  std::stop_source source;
  const StopScope scope(source.get_token());
  int pieces = 0;
  const auto done = inPieces(bytes, nullptr, [&](std::span<const std::byte> /*piece*/) {
    ++pieces;
    source.request_stop();
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::Cancelled);
  EXPECT_EQ(pieces, 1);
}

TEST(InPieces, WhatIsOnePieceIsDoneThoughSomebodyAskedForAStop) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  int pieces = 0;
  EXPECT_TRUE(inPieces(std::vector<std::byte>(7), nullptr, [&](auto /*piece*/) { ++pieces; }));
  EXPECT_EQ(pieces, 1);
}

TEST(InPieces, AnErrorEndsThem) {
  int pieces = 0;
  const auto done =
      inPieces(std::vector<std::byte>(2 * kPieceBytes), nullptr, [&](auto /*piece*/) -> Result<> {
        ++pieces;
        return fail(ErrorCode::Io, "full");
      });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message(), "full");
  EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace ulp
