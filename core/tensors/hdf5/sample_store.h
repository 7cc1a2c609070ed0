#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::tensors {

/// What the values of a study's samples are of.
struct SampleLayout {
  std::vector<std::string> runs;  ///< the reference first, which has a loss alone
  std::uint64_t samples = 0;
  std::vector<Site> rows;            ///< in order of execution
  std::vector<std::string> metrics;  ///< ids
  std::string tokenDigest;           ///< of the tokens of all samples
};

/// What one run gave on one sample.
struct SampleValues {
  double loss = 0;
  std::span<const double> metrics{};     ///< row-major [rows, metrics]; empty for the reference
  std::span<const double> gainErrors{};  ///< [rows]; empty for the reference
};

/// The values of every sample, in samples.h5: `/runs/<run>/metrics` [samples, rows, metrics],
/// `gain_error` [samples, rows], `loss` [samples], all float64 and NaN until they are known, and
/// `finished` [samples] uint8; `/row_names`, `/row_passes` and `/metrics` name the rows and
/// columns. All places exist from the start, so that writing a sample changes nothing but its own
/// numbers and a killed process damages none. Not thread-safe.
class SampleStore {
 public:
  /// Replaces what the folder holds. Errors: Io.
  [[nodiscard]] static Result<std::unique_ptr<SampleStore>> create(
      const std::filesystem::path& folder, const SampleLayout& layout);
  /// Goes on with the file of the folder; runs that it lacks are added. Errors: NotFound, Io,
  /// CorruptData, InvalidArgument when rows, metrics, samples or tokens are others.
  [[nodiscard]] static Result<std::unique_ptr<SampleStore>> reopen(
      const std::filesystem::path& folder, const SampleLayout& layout);

  /// The file says that the sample is finished once sync() was called. Errors: Io; Internal for a
  /// run, sample or number of values that the layout does not have.
  [[nodiscard]] Result<> write(std::string_view run,
                               std::uint64_t sample,
                               const SampleValues& values);
  /// Waits until all that was written is on the disk, then says of it that it is finished: no power
  /// loss leaves a sample that is said to be finished without its values. Error: Io.
  [[nodiscard]] Result<> sync();
  /// The loss of a sample that is finished. Errors: NotFound where it is not, Io.
  [[nodiscard]] Result<double> loss(std::string_view run, std::uint64_t sample);

 private:
  /// Where the datasets of a run begin in the file, in bytes; 0: it has none of that name.
  struct Places {
    std::uint64_t metrics = 0;
    std::uint64_t gainErrors = 0;
    std::uint64_t loss = 0;
    std::uint64_t finished = 0;
  };

  SampleStore(std::filesystem::path file, SampleLayout layout);
  [[nodiscard]] Result<> open();
  [[nodiscard]] Result<> put(std::uint64_t at, std::span<const std::byte> bytes);
  [[nodiscard]] Result<Places> placesOf(std::string_view run, std::uint64_t sample) const;

  std::filesystem::path m_file;
  SampleLayout m_layout;
  std::map<std::string, Places, std::less<>> m_places;
  FileDescriptor m_opened;
  std::vector<std::uint64_t> m_unsaid;  ///< places in the file that will say "finished"
};

}  // namespace ulp::tensors
