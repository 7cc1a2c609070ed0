#include "core/engine/weights/weights_digest.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <openssl/evp.h>
#include <span>
#include <utility>

#include "core/base/barrier.h"
#include "core/base/files/mapped_file.h"

namespace ulp::engine {
namespace {

/// Between looks at the stop token.
constexpr std::size_t kBytesAtATime = std::size_t{8} << 20;

class Sha256 {
 public:
  Sha256()
      : m_context(EVP_MD_CTX_new(), &EVP_MD_CTX_free),
        m_good(m_context != nullptr &&
               EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1) {}

  void add(std::span<const std::byte> bytes) {
    m_good = m_good && EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1;
  }

  Result<std::string> finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (!m_good || EVP_DigestFinal_ex(m_context.get(), digest.data(), &size) != 1) {
      return fail(ErrorCode::Internal, "OpenSSL: SHA-256 is not available");
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : std::span(digest).first(size)) {
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
  bool m_good;
};

}  // namespace

Result<std::string> sha256(std::string_view text) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.finish();
}

Result<std::string> sha256OfFiles(const std::vector<std::filesystem::path>& files,
                                  const std::stop_token& stop) {
  Sha256 hash;
  for (const std::filesystem::path& path : files) {
    auto file = ULP_TRY(MappedFile::open(path));
    std::span<const std::byte> rest = file->bytes();
    while (!rest.empty()) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "the digest of the weights was cancelled");
      }
      const std::size_t count = std::min(kBytesAtATime, rest.size());
      hash.add(rest.first(count));
      rest = rest.subspan(count);
    }
    ULP_TRY(file->checkIntact());
  }
  return hash.finish();
}

BackgroundDigest::BackgroundDigest(std::vector<std::filesystem::path> files, std::stop_token stop) {
  std::promise<Result<std::string>> promise;
  m_digest = promise.get_future();
  m_thread =
      std::jthread([files = std::move(files), stop = std::move(stop), promise = std::move(promise)](
                       const std::stop_token& over) mutable {
        std::stop_source either;
        const auto end = [&either] { either.request_stop(); };
        const std::stop_callback whenStopped(stop, end);
        const std::stop_callback whenOver(over, end);
        promise.set_value(behindBarrier("the digest of the weights",
                                        [&] { return sha256OfFiles(files, either.get_token()); }));
      });
}

}  // namespace ulp::engine
