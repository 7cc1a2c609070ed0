#include "core/remote/captures/tile_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/files/folders.h"
#include "core/base/files/unfinished.h"
#include "core/tensors/archive/zip_directory.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kMark{'u', 'l', 'p', 't', 'i', 'l', 'e', '1'};

/// Never 0.
std::uint32_t checksumOf(std::span<const std::byte> block) {
  return std::max<std::uint32_t>(1, tensors::zipChecksum(block));
}

/// A name that no other process and no other file of this one has.
fs::path nameInUse(const fs::path& path) {
  static std::atomic<std::uint64_t> number = 0;
  fs::path used = path;
  used += fmt::format(".{}-{}{}", ::getpid(), ++number, kUnfinishedSuffix);
  return used;
}

}  // namespace

TileFile::TileFile(fs::path path, fs::path used, std::uint64_t size)
    : m_path(std::move(path)),
      m_used(std::move(used)),
      m_size(size),
      m_here(((size + kBlock - 1) / kBlock + 63) / 64),
      m_checksums((size + kBlock - 1) / kBlock) {}

Result<std::unique_ptr<TileFile>> TileFile::open(const fs::path& path, std::uint64_t size) {
  ULP_TRY(makeFolders(path.parent_path()));
  std::unique_ptr<TileFile> made(new TileFile(path, nameInUse(path), size));
  // Of two that take it one gets it, and the other begins anew.
  const bool isKept = ::rename(path.c_str(), made->m_used.c_str()) == 0;
  made->m_file = FileDescriptor(
      ::open(made->m_used.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  const std::uint64_t whole =
      made->trailer() + made->blocks() * sizeof(std::uint32_t) + kMark.size();
  struct stat status {};
  if (!made->m_file || ::fstat(made->m_file.get(), &status) != 0) {
    return fail(systemError(made->m_used, "cannot be made", errno));
  }
  if (isKept && static_cast<std::uint64_t>(status.st_size) == whole) {
    made->readTrailer();
  } else if (::ftruncate(made->m_file.get(), 0) != 0) {
    return fail(systemError(made->m_used, "cannot be made", errno));
  }
  // Its mark comes back when it is closed: until then what it says of its blocks may be old.
  if (::ftruncate(made->m_file.get(), static_cast<off_t>(made->trailer())) != 0 ||
      ::ftruncate(made->m_file.get(), static_cast<off_t>(whole)) != 0) {
    return fail(systemError(made->m_used, "cannot be made", errno));
  }
  made->m_mapping = ULP_TRY(MappedFile::open(made->m_used, Rewriting::Expected));
  return made;
}

TileFile::~TileFile() {
  const bool isEmpty =
      std::ranges::all_of(m_checksums, [](std::uint32_t checksum) { return checksum == 0; });
  if (isEmpty || !m_file || !m_mapping || !m_mapping->checkIntact()) {
    ::unlink(m_used.c_str());
    return;
  }
  writeTrailer();
  ::rename(m_used.c_str(), m_path.c_str());
}

void TileFile::readTrailer() {
  std::vector<std::uint32_t> checksums(blocks());
  std::array<char, kMark.size()> mark{};
  const std::size_t size = checksums.size() * sizeof(std::uint32_t);
  const auto at = static_cast<off_t>(trailer());
  if (::pread(m_file.get(), checksums.data(), size, at) == static_cast<ssize_t>(size) &&
      ::pread(m_file.get(), mark.data(), mark.size(), at + static_cast<off_t>(size)) ==
          static_cast<ssize_t>(mark.size()) &&
      mark == kMark) {
    m_checksums = std::move(checksums);
  }
}

void TileFile::writeTrailer() const {
  const auto checksums = std::as_bytes(std::span(m_checksums));
  const auto at = static_cast<off_t>(trailer());
  // Where it cannot be written, there is no mark, and nothing counts.
  if (writeAllAt(m_file.get(), checksums, at) == 0) {
    static_cast<void>(writeAllAt(
        m_file.get(), std::as_bytes(std::span(kMark)), at + static_cast<off_t>(checksums.size())));
  }
}

std::span<const std::byte> TileFile::bytesOf(std::uint64_t block) const {
  const std::uint64_t begin = block * kBlock;
  return m_mapping->bytes().subspan(begin, std::min(kBlock, m_size - begin));
}

bool TileFile::takeUp(std::uint64_t block) {
  if (has(block)) {
    return true;
  }
  if (m_checksums[block] == 0 || checksumOf(bytesOf(block)) != m_checksums[block]) {
    m_checksums[block] = 0;
    return false;
  }
  set(block);
  return true;
}

Result<> TileFile::write(std::uint64_t firstBlock, std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  const int failure = writeAllAt(m_file.get(), all, static_cast<off_t>(firstBlock * kBlock));
  if (failure != 0) {
    return fail(systemError(m_used, "cannot write", failure));
  }
  for (std::uint64_t i = 0; i * kBlock < all.size(); ++i) {
    const auto block = all.subspan(i * kBlock, std::min(kBlock, all.size() - i * kBlock));
    m_checksums[firstBlock + i] = checksumOf(block);
    set(firstBlock + i);
  }
  return {};
}

}  // namespace ulp::remote
