#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/store/capture_reader.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

using CaptureReaderPtr = std::shared_ptr<const tensors::CaptureReader>;

/// Whether a run folder holds tensors; they may still be unreadable.
[[nodiscard]] bool keepsTensors(const std::filesystem::path& folder);

/// A tensor that a run kept, and the file that it is read from.
struct KeptTensor {
  CaptureReaderPtr reader;
  const tensors::StoredCapture* capture = nullptr;  ///< owned by the reader
};

/// The tensors that the runs of a document kept, whichever report they come from and whatever it
/// calls them. Files are opened when they are first asked for, and anew when they have changed on
/// disk. Thread-safe.
class KeptTensors {
 public:
  explicit KeptTensors(DocumentPtr document) : m_document(std::move(document)) {}

  [[nodiscard]] const DocumentPtr& document() const { return m_document; }
  /// Nothing where the run did not keep it. Errors: of opening the file; InvalidArgument for a run
  /// that is not open.
  /// `beside`: as ReportDocument::captureOrigin().
  [[nodiscard]] Result<std::optional<KeptTensor>> find(const QString& run,
                                                       const Site& site,
                                                       const QString& beside = {});
  /// The file of a run's tensors. Errors: as find().
  [[nodiscard]] Result<CaptureReaderPtr> readerOf(const QString& run, const QString& beside = {});
  /// What the run is called in that file.
  [[nodiscard]] std::string ownRunName(const QString& run, const QString& beside = {}) const;

 private:
  struct File {
    std::string state;  ///< of the files on disk when they were opened
    CaptureReaderPtr reader;
  };

  using FilePtr = std::shared_ptr<const File>;
  struct Opened {
    FilePtr file;
    std::chrono::steady_clock::time_point seen;  ///< when it was last compared with the disk
  };

  [[nodiscard]] Result<FilePtr> open(const std::filesystem::path& folder);

  DocumentPtr m_document;
  std::mutex m_mutex;
  std::map<std::filesystem::path, Opened> m_files;
};

/// What the samples of a study gave for one metric of one variant.
struct SampleValues {
  int variant = -1;
  int metric = -1;
  std::vector<std::uint64_t> samples;       ///< their numbers, from 0
  std::vector<std::vector<double>> values;  ///< [samples][sites of the document]; NaN: undefined
};

/// Reads samples.h5 of the report that the variant comes from. Any thread. Errors: NotFound where
/// the study has one sample, the values are related to another run or the file is gone;
/// CorruptData.
[[nodiscard]] Result<SampleValues> readSampleValues(const ReportDocument& document,
                                                    int variant,
                                                    int metric);

}  // namespace ulp::views
