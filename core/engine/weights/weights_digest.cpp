#include "core/engine/weights/weights_digest.h"

#include <utility>

#include "core/base/barrier.h"
#include "core/base/digest/sha256.h"

namespace ulp::engine {

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
