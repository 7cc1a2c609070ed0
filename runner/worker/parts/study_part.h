#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ulp::worker {

/// The part of a study that one task of several makes (runner/cluster): some of its runs, on some
/// of its samples, which follow one another. What each sample gave is kept one by one
/// (sample_pieces.h) as well, so that all parts together give what the whole study would have, to
/// the bit.
struct StudyPart {
  /// How a part comes by the reference.
  enum class Reference : std::uint8_t {
    Own,     ///< runs it
    Shared,  ///< reads what another part has written to `references`
    Shares   ///< runs it and writes it there
  };

  /// Beside the reference. Runs of a noise floor that this device does not need are passed over.
  std::vector<std::string> runs{};
  std::uint64_t firstSample = 0;
  std::uint64_t samples = 1;
  bool keepsReference = true;  ///< false: another part keeps its tensors
  Reference reference = Reference::Own;
  std::filesystem::path references{};

  [[nodiscard]] std::uint64_t end() const { return firstSample + samples; }
};

}  // namespace ulp::worker
