#include "core/engine/weights/weights_digest.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/barrier.h"
#include "core/base/digest/sha256.h"
#include "core/base/files/mapped_file.h"

namespace ulp::engine {
namespace {

/// Between looks at the stop token.
constexpr std::size_t kBytesAtATime = std::size_t{8} << 20;

}  // namespace

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
