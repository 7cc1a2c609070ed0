#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/hdf5/sample_store.h"
#include "runner/worker/capture/capture_observers.h"
#include "runner/worker/capture/log_probability_file.h"
#include "runner/worker/capture/sample_rows.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/parts/sample_pieces.h"
#include "runner/worker/session/run_folder.h"
#include "runner/worker/session/run_options.h"
#include "runner/worker/session/study_preparation.h"

namespace ulp::worker {

/// What a study gives: its report while it grows, the files beside it in the run folder, and what
/// observers are told of its runs.
class StudyResults {
 public:
  /// `options` and `sink` outlive the results.
  StudyResults(const RunOptions& options, EventSink& sink);

  /// Begins a report of these runs, claims the folder and tells so. Takes over what an earlier
  /// session finished where the study is resumed. Errors: those of RunFolder::claim() and of
  /// report::loadReport().
  [[nodiscard]] Result<> begin(const study::Study& study, const std::vector<PlannedRun>& runs);
  /// Writes what is known before the first run, and opens the files that grow with the runs unless
  /// there is none to make (`hasWork`). Results that are to be overwritten go. Errors: Io; those of
  /// the files that an earlier session wrote.
  [[nodiscard]] Result<> open(const study::Study& study,
                              const PreparedStudy& prepared,
                              bool hasWork);

  /// What files that grow with the runs are laid out for, where no session makes the runs.
  struct Layout {
    SampleRows rows;
    std::int64_t length = 0;  ///< tokens of a sequence
  };
  /// The same as open() for results of other folders, which take() hands over. Errors: Io.
  [[nodiscard]] Result<> openForPieces(Layout layout);
  /// The first sample that is made, and the one behind the last. Known once begin() is done.
  [[nodiscard]] std::uint64_t firstSample() const { return m_first; }
  [[nodiscard]] std::uint64_t endSample() const { return m_first + m_samples; }

  [[nodiscard]] report::Report& draft() { return m_draft; }
  /// The report of the session that is resumed; null: none is.
  [[nodiscard]] const report::Report* earlier() const { return m_earlier.get(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder->path(); }
  /// Null: the tensors of this sample are not kept.
  [[nodiscard]] tensors::CaptureWriter* writer(std::uint64_t sample) const;
  /// Tells whether a run is still to be made on a sample.
  [[nodiscard]] bool isMissing(std::string_view run, std::uint64_t sample);
  /// Tells whether the tensors of a run are on disk.
  [[nodiscard]] bool hasTensors(std::string_view run) const;
  /// Adds the seconds that others took to those of the report.
  void addSeconds(double seconds) { m_otherSeconds += seconds; }
  /// The loss that was recorded of the reference on a sample. Errors: those of the sample store.
  [[nodiscard]] Result<double> referenceLoss(std::uint64_t sample);

  /// Tells that a run begins; its end is told in any case.
  void beginRun(const RunStarted& event);
  /// Adds what a run gave on a sample to its record and to the files. `clips`: the reference's
  /// decisions by term of the loss; `memory`: what it took of a CUDA device. Errors: Io; those of
  /// report::mergeSample().
  [[nodiscard]] Result<> keep(report::Run& run,
                              std::uint64_t sample,
                              Differences differences,
                              const engine::RunOutcome& outcome,
                              std::span<const engine::ClipDecisions> clips,
                              const std::optional<DeviceMemory>& memory);
  /// The same of what keep() kept as a piece somewhere else.
  [[nodiscard]] Result<> take(report::Run& run,
                              std::uint64_t sample,
                              SamplePiece piece,
                              const engine::TokenOutcome& tokens);
  /// Saves the report and tells of all runs, which have their final states.
  [[nodiscard]] Result<> publishAll();
  /// Saves the report, then tells that the run has ended: whoever reads so finds it there.
  [[nodiscard]] Result<> publish(const report::Run& run, bool isFinished);
  /// Saves the report of several samples unless that was done a moment ago.
  [[nodiscard]] Result<> saveIfDue();
  [[nodiscard]] Result<> saveAndTell();
  /// Ends the record of runs that stand between two samples when the study ends, and tells the end
  /// of a reference that ran again for others.
  [[nodiscard]] Result<> closeOpenRuns();
  /// What the last event says beside the result: see StudyFinished.
  struct EndNotes {
    const std::vector<std::string>& conflicts;
    bool leavesRuns = false;
  };
  void tellEnd(const Result<>& result, const EndNotes& notes);

 private:
  [[nodiscard]] std::vector<std::string> variantsOf(const study::Study& study) const;
  [[nodiscard]] Result<> openFiles();
  /// What the tokens say is worth knowing, but no study fails for it.
  [[nodiscard]] Result<> writeTokens(const study::Study& study, const PreparedStudy& prepared);
  [[nodiscard]] Result<> openSamples();
  /// Errors: NotFound where the earlier report has more of them.
  [[nodiscard]] Result<> loadLogProbabilities();
  [[nodiscard]] std::filesystem::path tensorFile(std::string_view run) const;
  /// `tops` are those of the sample that was merged last.
  [[nodiscard]] Result<> updateLogProbabilities(report::Run& run,
                                                const numerics::TopAgreement& tops) const;
  void tellFinished(const report::Run& run);
  [[nodiscard]] Result<> save();
  [[nodiscard]] double secondsSoFar() const;

  const RunOptions& m_options;
  EventSink& m_sink;
  std::chrono::steady_clock::time_point m_start;

  std::unique_ptr<RunFolder> m_folder;  ///< null before begin()
  report::Report m_draft;
  report::ReportPtr m_earlier;
  std::uint64_t m_first = 0;    ///< sample of the study that is made first
  std::uint64_t m_samples = 1;  ///< that are made
  double m_otherSeconds = 0;
  std::int64_t m_length = 0;  ///< tokens of a sequence
  SampleRows m_rows;
  std::unique_ptr<tensors::CaptureWriter> m_writer;  ///< null: tensors are not kept
  std::optional<LogProbabilityFile> m_logProbabilities;
  std::unique_ptr<tensors::SampleStore> m_sampleStore;  ///< null: one sample
  std::set<std::string, std::less<>> m_told;            ///< runs whose end was not told yet
  std::chrono::steady_clock::time_point m_lastSave;
  bool m_isSaved = false;
};

}  // namespace ulp::worker
