#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <numeric>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/tensors/archive/tensor_archive.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using test::processMemory;
using test::TempDir;

constexpr std::size_t kElements = std::size_t{8} << 20;
constexpr std::size_t kBytes = kElements * sizeof(float);

/// 32 MiB of ones, as bytes of a mapped file.
Tensor largeTensor(const TempDir& folder) {
  const auto path = folder.write("ones", std::string(kBytes, '\1'));
  const int file = ::open(path.c_str(), O_RDWR);
  ::fsync(file);
  ::close(file);
  const auto source = openByteSource(path);
  return *tensorAt(*source, 0, DType::Float32, {static_cast<std::int64_t>(kElements)});
}

std::size_t sumOfBytes(const Tensor& tensor) {
  const auto bytes = tensor.view.bytes();
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}, [](auto sum, std::byte byte) {
    return sum + std::to_integer<std::size_t>(byte);
  });
}

TEST(PageUse, WhatIsGivenBackLeavesMemoryAndCanBeReadAgain) {
  const TempDir folder;
  const Tensor tensor = largeTensor(folder);
  ASSERT_NE(tensor.file, nullptr);
  EXPECT_EQ(sumOfBytes(tensor), kBytes);
  const std::size_t whole = processMemory("VmRSS");
  giveBack(tensor, 0, kElements / 2);
  const std::size_t half = processMemory("VmRSS");
  EXPECT_NEAR(static_cast<double>(whole - half), kBytes / 2.0, kBytes / 8.0);
  // More than there is.
  giveBack(tensor, kElements / 2, 2 * kElements);
  EXPECT_NEAR(static_cast<double>(half - processMemory("VmRSS")), kBytes / 2.0, kBytes / 8.0);
  EXPECT_EQ(sumOfBytes(tensor), kBytes);
}

TEST(PageUse, TensorsInMemoryStayAsTheyAre) {
  const ByteSource source = sourceOf(Bytes().number(1.5F).number(-2.0F).content());
  const auto tensor = tensorAt(source, 0, DType::Float32, {2});
  ASSERT_TRUE(tensor);
  ASSERT_EQ(tensor->file, nullptr);
  readAhead(*tensor, 0, 2);
  giveBack(*tensor, 0, 2);
  EXPECT_EQ(elementsOf<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

/// Share of the file's pages that the system holds, whoever maps them.
double shareInCache(const MappedFile& file) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> isCached((file.bytes().size() + page - 1) / page);
  // mincore takes a mutable pointer although it only looks.
  auto* begin = const_cast<std::byte*>(file.bytes().data());
  if (::mincore(begin, file.bytes().size(), isCached.data()) != 0) {
    return 1;
  }
  const auto cached = std::count_if(
      isCached.begin(), isCached.end(), [](unsigned char flags) { return (flags & 1U) != 0; });
  return static_cast<double>(cached) / static_cast<double>(isCached.size());
}

TEST(PageUse, ReadingAheadBringsThePagesFromTheDisk) {
  const TempDir folder;
  const Tensor tensor = largeTensor(folder);
  ASSERT_NE(tensor.file, nullptr);
  const int file = ::open(tensor.file->path().c_str(), O_RDONLY);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
  if (shareInCache(*tensor.file) > 0.1) {
    GTEST_SKIP() << "this file system keeps its files in memory";
  }
  readAhead(tensor, 0, kElements / 2);
  for (int wait = 0; wait < 500 && shareInCache(*tensor.file) < 0.49; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GE(shareInCache(*tensor.file), 0.49);
  EXPECT_LE(shareInCache(*tensor.file), 0.75) << "the other half was not asked for";
}

}  // namespace
}  // namespace ulp::tensors
