#include "core/base/error.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Error, PutsWhatTheCallerDidInFront) {
  Error error(ErrorCode::CorruptData, "model.safetensors: header ends too early");
  const Error chained = std::move(error).whileDoing("loading weights");
  EXPECT_EQ(chained.code(), ErrorCode::CorruptData);
  EXPECT_EQ(chained.message(), "loading weights: model.safetensors: header ends too early");
}

TEST(Error, WorkOfManyPiecesEndsWhereItIsStoppedOrHasNoMemory) {
  EXPECT_TRUE(Error(ErrorCode::Cancelled, "stopped").endsWork());
  EXPECT_TRUE(Error(ErrorCode::OutOfMemory, "too large").endsWork());
  EXPECT_FALSE(Error(ErrorCode::CorruptData, "damaged").endsWork());
  EXPECT_FALSE(Error(ErrorCode::Io, "not readable").endsWork());
}

TEST(Error, NamesEveryCode) {
  std::set<std::string_view> names;
  constexpr std::array kCodes{ErrorCode::InvalidArgument,
                              ErrorCode::NotFound,
                              ErrorCode::CorruptData,
                              ErrorCode::Io,
                              ErrorCode::Unsupported,
                              ErrorCode::OutOfMemory,
                              ErrorCode::Device,
                              ErrorCode::Cancelled,
                              ErrorCode::Internal,
                              ErrorCode::RunFailed};
  for (const ErrorCode code : kCodes) {
    EXPECT_NE(toString(code), "unknown");
    EXPECT_EQ(errorCodeNamed(toString(code)), code);
    names.insert(toString(code));
  }
  EXPECT_EQ(names.size(), kCodes.size());
  EXPECT_EQ(errorCodeNamed("unknown"), std::nullopt);
}

}  // namespace
}  // namespace ulp
