#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

struct evp_md_ctx_st;

namespace ulp {

/// SHA-256 of bytes that are added piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(std::span<const std::byte> bytes);
  /// Returns 64 lower-case hexadecimal digits; nothing can be added afterwards. Errors: Internal
  /// where OpenSSL does not offer SHA-256.
  [[nodiscard]] Result<std::string> finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> m_context;
  bool m_isGood;
};

/// Of a text, as Sha256::finish().
[[nodiscard]] Result<std::string> sha256(std::string_view text);

/// Of files one after another (of one file: what sha256sum prints). Errors: NotFound, Io;
/// CorruptData for one that became shorter meanwhile; Cancelled when asked to stop.
[[nodiscard]] Result<std::string> sha256OfFiles(const std::vector<std::filesystem::path>& files,
                                                const std::stop_token& stop = {});

}  // namespace ulp
