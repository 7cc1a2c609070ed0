#include "core/base/digest/sha256.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include "core/base/files/mapped_file.h"

namespace ulp {

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256()
    : m_context(EVP_MD_CTX_new()),
      m_isGood(m_context != nullptr &&
               EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1) {}

void Sha256::add(std::span<const std::byte> bytes) {
  m_isGood = m_isGood && EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1;
}

Result<std::string> Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (!m_isGood || EVP_DigestFinal_ex(m_context.get(), digest.data(), &size) != 1) {
    return fail(ErrorCode::Internal, "OpenSSL: SHA-256 is not available");
  }
  return fmt::format("{:02x}", fmt::join(std::span(digest).first(size), ""));
}

Result<std::string> sha256(std::string_view text) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.finish();
}

Result<std::string> sha256OfFiles(const std::vector<std::filesystem::path>& files,
                                  const std::stop_token& stop) {
  constexpr std::size_t kBytesAtATime = std::size_t{8} << 20;  // between looks at the stop token
  Sha256 hash;
  for (const std::filesystem::path& path : files) {
    auto file = ULP_TRY(MappedFile::open(path));
    std::span<const std::byte> rest = file->bytes();
    while (!rest.empty()) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "the digest of files was cancelled");
      }
      const std::size_t count = std::min(kBytesAtATime, rest.size());
      hash.add(rest.first(count));
      rest = rest.subspan(count);
    }
    ULP_TRY(file->checkIntact());
  }
  return hash.finish();
}

}  // namespace ulp
