#pragma once

#include <cstddef>
#include <span>

namespace ulp {

/// Keeps the process alive where a mapped file has become shorter than its mapping: touching what
/// is gone would end it with SIGBUS. While the guard lives, such a page reads as bytes of 0xFF
/// instead (NaN in every floating-point format, no character of any text), and wasHit() tells.
/// Whoever reads through the mapping must ask it before what was read is believed. Where there are
/// more guards than places for them (1,024), one does nothing. Any thread.
class MappingGuard {
 public:
  /// `mapping` begins at a page and stays mapped as long as the guard lives.
  explicit MappingGuard(std::span<const std::byte> mapping);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// A part was touched that the file no longer has.
  [[nodiscard]] bool wasHit() const;

 private:
  int m_place = -1;
};

}  // namespace ulp
