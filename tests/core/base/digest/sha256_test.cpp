#include "core/base/digest/sha256.h"

#include <string_view>

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

// The examples of FIPS 180-2 and of the empty message.
TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(*sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(*sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  Sha256 hash;
  for (const std::string_view piece :
       {"abcdbcdecdefdefgefghfghighijhi", "", "jkijkljklmklmnlmnomnopnopq"}) {
    hash.add(std::as_bytes(std::span(piece)));
  }
  EXPECT_EQ(*hash.finish(), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, OfFilesIsThatOfTheirBytesOneAfterAnother) {
  const test::TempDir folder;
  const auto first = folder.write("first", "a");
  const auto second = folder.write("second", "bc");
  const auto digest = sha256OfFiles({first, folder.write("empty", ""), second});
  EXPECT_EQ(*digest, *sha256("abc"));
  EXPECT_EQ(sha256OfFiles({first, folder.path() / "gone"}).error().code(), ErrorCode::NotFound);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(sha256OfFiles({first}, stopped.get_token()).error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp
