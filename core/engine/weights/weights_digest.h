#pragma once

#include <filesystem>
#include <future>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"

namespace ulp::engine {

/// Computes a digest beside other work. Destruction stops the computation, and so does `stop`.
class BackgroundDigest {
 public:
  BackgroundDigest(std::vector<std::filesystem::path> files, std::stop_token stop);
  /// Waits for the digest. Errors: those of sha256OfFiles().
  [[nodiscard]] Result<std::string> get() const { return m_digest.get(); }

 private:
  std::shared_future<Result<std::string>> m_digest;
  std::jthread m_thread;
};

}  // namespace ulp::engine
