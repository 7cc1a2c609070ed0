#include "core/tensors/archive/zip_directory.h"

#include <gmock/gmock.h>

#include "tests/core/tensors/archive/zip_builder.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

std::string textOf(const Result<ByteSource>& source) {
  EXPECT_TRUE(source) << source.error().message();
  return source ? std::string(reinterpret_cast<const char*>(source->bytes.data()),
                              source->bytes.size())
                : "";
}

Result<ByteSource> readOnly(const std::string& archive, std::uint64_t most = UINT64_MAX) {
  const ByteSource source = sourceOf(archive);
  const auto members = readZipDirectory(source);
  return members ? readZipMember(source, members->at(0), most) : tl::unexpected(members.error());
}

TEST(ZipDirectoryTest, ReadsStoredAndDeflatedMembers) {
  const std::string text(1000, 'x');
  const ByteSource source =
      sourceOf(zipOf({{"a/../../etc/passwd", "plain"}, deflated("b", text), {"empty", ""}}));
  const auto members = readZipDirectory(source);
  ASSERT_TRUE(members) << members.error().message();
  ASSERT_EQ(members->size(), 3U);
  EXPECT_EQ(members->at(0).name, "a/../../etc/passwd");  // a key, and nothing is opened by it
  EXPECT_EQ(textOf(readZipMember(source, members->at(0))), "plain");
  EXPECT_EQ(textOf(readZipMember(source, members->at(1))), text);
  EXPECT_EQ(textOf(readZipMember(source, members->at(1), 10)), "xxxxxxxxxx");
  EXPECT_EQ(textOf(readZipMember(source, members->at(2))), "");
  // What is stored is shown where it lies.
  const auto plain = readZipMember(source, members->at(0));
  EXPECT_GE(plain->bytes.data(), source.bytes.data());
  EXPECT_EQ(plain->owner, source.owner);
}

/// As PyTorch writes it for large files: every number in the extra field, behind `before`.
std::string zip64Behind(const std::string& before) {
  Bytes archive;
  archive.text("PK\x03\x04").number<std::uint16_t>(45).number<std::uint32_t>(0);
  archive.number<std::uint64_t>(0).number<std::uint64_t>(0).number<std::uint16_t>(1);
  archive.number<std::uint16_t>(0).text("a").text("content");
  const auto start = archive.content().size();
  archive.text("PK\x01\x02").number<std::uint32_t>(0x2D002D).number<std::uint32_t>(0);
  archive.number<std::uint64_t>(0)
      .number<std::uint32_t>(0xFFFFFFFF)
      .number<std::uint32_t>(0xFFFFFFFF);
  archive.number<std::uint16_t>(1);
  archive.number(static_cast<std::uint16_t>(28 + before.size())).number<std::uint16_t>(0);
  archive.number<std::uint64_t>(0).number<std::uint32_t>(0xFFFFFFFF).text("a");
  archive.text(before);
  archive.number<std::uint16_t>(1).number<std::uint16_t>(24).number<std::uint64_t>(7);
  archive.number<std::uint64_t>(7).number<std::uint64_t>(0);
  const auto end = archive.content().size();
  archive.text("PK\x06\x06").number<std::uint64_t>(44).number<std::uint32_t>(0);
  archive.number<std::uint64_t>(0).number<std::uint64_t>(1).number<std::uint64_t>(1);
  archive.number<std::uint64_t>(end - start).number<std::uint64_t>(start);
  archive.text("PK\x06\x07").number<std::uint32_t>(0).number<std::uint64_t>(end);
  archive.number<std::uint32_t>(1).text("PK\x05\x06").number<std::uint32_t>(0);
  archive.number<std::uint32_t>(0xFFFFFFFF).number<std::uint64_t>(~std::uint64_t{0});
  return archive.number<std::uint16_t>(0).content();
}

TEST(ZipDirectoryTest, ReadsZip64) {
  EXPECT_EQ(textOf(readOnly(zip64Behind(""))), "content");
  Bytes other;
  other.number<std::uint16_t>(0x5455).number<std::uint16_t>(5).text("times");
  EXPECT_EQ(textOf(readOnly(zip64Behind(other.content()))), "content");
  Bytes tooLong;
  tooLong.number<std::uint16_t>(0x5455).number<std::uint16_t>(500);
  EXPECT_FALSE(readZipDirectory(sourceOf(zip64Behind(tooLong.content()))));
}

TEST(ZipDirectoryTest, EveryPrefixIsRefused) {
  expectPrefixesCorrupt(zipOf({{"a", "content"}, deflated("b", "text")}), readZipDirectory);
}

/// Every deflated member that is given out at all is what it was.
void expectUnpackedOrRefused(const std::string& archive, const std::string& expected) {
  const ByteSource source = sourceOf(archive);
  const auto members = readZipDirectory(source);
  if (!members) {
    return;
  }
  for (const ZipMember& member : *members) {
    const auto content = readZipMember(source, member);
    if (content && !member.isStored()) {
      EXPECT_EQ(textOf(content), expected);
    }
  }
}

TEST(ZipDirectoryTest, EveryChangedByteIsRefusedOrHarmless) {
  const std::string text(300, 'y');
  const std::string archive = zipOf({deflated("b", text), {"a", "content"}});
  for (std::size_t i = 0; i < archive.size(); ++i) {
    for (const int bit : {1, 128}) {
      std::string changed = archive;
      changed[i] = static_cast<char>(changed[i] ^ bit);
      expectUnpackedOrRefused(changed, text);
    }
  }
}

TEST(ZipDirectoryTest, RefusesBombsAndLies) {
  ZipEntry bomb = deflated("b", std::string(1000, 'x'));
  bomb.size = 0xFFFFFFF0;  // no member of a few bytes unpacks to 4 GiB
  EXPECT_THAT(messageOf(readOnly(zipOf({bomb}))),
              HasSubstr("file: zip: member 'b' claims 4294967280 bytes"));
  ZipEntry larger = deflated("b", std::string(1000, 'x'));
  larger.size = 999;
  EXPECT_THAT(messageOf(readOnly(zipOf({larger}))), HasSubstr("member 'b' is damaged"));
  ZipEntry other = deflated("b", std::string(1000, 'x'));
  other.checksum ^= 1U;
  EXPECT_THAT(messageOf(readOnly(zipOf({other}))), HasSubstr("member 'b' is damaged"));
  EXPECT_THAT(messageOf(readOnly(zipOf({{"b", "x", 12, 5}}))),
              HasSubstr("is packed by method 12; pack the archive again"));
  EXPECT_THAT(messageOf(readOnly(zipOf({{"b", "x", 0, 1, 0, 1}}))), HasSubstr("is encrypted"));
  std::string many = zipOf({{"b", "x"}});
  many.replace(many.size() - 12, 2, "\xFF\xFF");  // members in all
  EXPECT_THAT(messageOf(readOnly(many)), HasSubstr("its directory of 65535 members at byte"));
}

TEST(ZipDirectoryTest, RefusesToUnpackFarMoreThanNumbersPack) {
  ZipEntry bomb{"b", std::string(2'500'000, 'x'), 8};
  bomb.size = 2'000'000'000;
  const auto refused = readOnly(zipOf({bomb}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("member 'b' unpacks from 2500000 to 2000000000 bytes, of which at most "
                        "1073741824 are read: store it unpacked"));
  // The beginning of it is no danger.
  EXPECT_THAT(messageOf(readOnly(zipOf({bomb}), 100)), HasSubstr("member 'b' is damaged"));
}

TEST(ZipDirectoryTest, ACommentIsUpTo65535BytesLong) {
  const auto commented = [](std::size_t size, const std::string& beginning = "") {
    std::string archive = zipOf({{"b", "x"}});
    archive[archive.size() - 2] = static_cast<char>(size & 0xFFU);
    archive[archive.size() - 1] = static_cast<char>(size >> 8U);
    return archive + beginning + std::string(size - beginning.size(), 'c');
  };
  EXPECT_EQ(textOf(readOnly(commented(0))), "x");
  EXPECT_EQ(textOf(readOnly(commented(65'535))), "x");
  // An end record in the comment whose own comment does not reach the end.
  EXPECT_EQ(textOf(readOnly(commented(100, "PK\x05\x06"))), "x");
  EXPECT_THAT(messageOf(readOnly(commented(10) + "more")), HasSubstr("its end record is missing"));
}

TEST(ZipDirectoryTest, SizesAreBelievedUpToWhatDeflatePacks) {
  ZipEntry entry{"b", "ten bytes.", 8};
  entry.size = 1032 * 11 - 1;
  EXPECT_THAT(messageOf(readOnly(zipOf({entry}))), HasSubstr("is damaged"));
  ++entry.size;
  EXPECT_THAT(messageOf(readOnly(zipOf({entry}))), HasSubstr("claims 11352 bytes"));
  ZipEntry large{"b", std::string(2'500'000, 'x'), 8};
  large.size = 1U << 30U;
  EXPECT_THAT(messageOf(readOnly(zipOf({large}))), HasSubstr("is damaged"));
  ++large.size;
  EXPECT_THAT(messageOf(readOnly(zipOf({large}))), HasSubstr("unpacks from 2500000"));
}

TEST(ZipDirectoryTest, LongMembersAreUnpackedAndChecked) {
  std::string text;
  for (int i = 0; text.size() < std::size_t{40} << 20U; ++i) {
    text += std::to_string(i) + " ";
  }
  EXPECT_EQ(textOf(readOnly(zipOf({deflated("b", text)}))), text);
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(zipChecksum(bytes), deflated("b", text).checksum);
}

TEST(ZipDirectoryTest, AZipIsKnownByItsFirstBytes) {
  const auto isZipText = [](std::string_view text) {
    return isZip(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_TRUE(isZipText("PK\x03\x04"));
  EXPECT_TRUE(isZipText("PK\x05\x06"));
  EXPECT_FALSE(isZipText("PK\x03"));
  EXPECT_FALSE(isZipText("PK\x01\x02"));
}

}  // namespace
}  // namespace ulp::tensors
