#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/report/model/dump_origin.h"
#include "core/report/model/one_dump.h"
#include "core/report/model/report.h"
#include "views/comparing/comparison_work.h"
#include "views/comparing/kept_comparisons.h"
#include "views/framework/settings/settings_store.h"
#include "views/framework/threads/remaining_time.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {

class Background;
class ReportSet;
class WindowRequests;

/// Threads that compare dumps, or read one; 0: one a core.
inline const Setting<int> kComparisonThreads{QStringLiteral("comparison/threads"), 0};

/// Compares dumps, and reads single ones (report::isOneDump()), in the background, one after the
/// other, and shows what is finished in the
/// workspace while the rest is compared. It goes on when something else is opened; a message then
/// leads back, as it does to a comparison that was closed without being saved. What it shows is no
/// file until saveAs(). Lives on the GUI thread.
class DumpComparer : public QObject {
  Q_OBJECT

 public:
  DumpComparer(ReportSet& reports,
               Messages& messages,
               WindowRequests& requests,
               SettingsStore& settings,
               Background& background);
  ~DumpComparer() override;
  DumpComparer(const DumpComparer&) = delete;
  DumpComparer& operator=(const DumpComparer&) = delete;

  /// While another pair is compared it waits for that to end, and a message offers to begin at
  /// once. The same pair again: ends what runs, and begins anew.
  void start(const report::DumpOrigin& origin);
  /// One after the other; the results are shown beside each other as long as that of the first is
  /// open.
  void startAll(const std::vector<report::DumpOrigin>& origins);
  /// Ends what runs; what is finished of it stays.
  void stop();
  /// Neither begins what waits.
  void stopAll();
  [[nodiscard]] bool isRunning() const { return m_stop != nullptr; }
  [[nodiscard]] bool isStopping() const { return isRunning() && m_stop->stop_requested(); }
  [[nodiscard]] int waitingCount() const { return static_cast<int>(m_waiting.size()); }
  /// One dump is read, or was last, rather than two compared.
  [[nodiscard]] bool isOfOneDump() const { return report::isOneDump(m_origin); }
  /// "target – golden", of the comparison that runs.
  [[nodiscard]] const QString& title() const { return m_title; }
  [[nodiscard]] double fraction() const { return m_fraction; }  ///< from 0 to 1
  /// Nothing while too little is done to tell.
  [[nodiscard]] std::optional<double> secondsLeft() const;

  struct Closed {
    std::filesystem::path id;
    report::DumpOrigin origin;
  };
  /// Comparisons that are no files and not open, newest first; the newest few are kept.
  [[nodiscard]] std::vector<Closed> closed() const;
  /// Shows one of them again.
  void show(const std::filesystem::path& id);

  /// The open reports that are comparisons, no files yet, and finished; empty: none, or not all
  /// are.
  [[nodiscard]] std::vector<std::filesystem::path> savable() const;
  /// Writes a comparison as the folder `path`; where it is open, that is then the open report.
  /// Errors, among them a folder that holds a report already, become messages.
  void saveAs(const std::filesystem::path& id, const QString& path);

 Q_SIGNALS:
  void progressed();  ///< started, a step further, or over; what waits has changed

 private:
  struct Waiting {
    report::DumpOrigin origin;
    std::uint64_t number = 0;
    bool isWanted = false;           ///< shown at once, whatever is open
    std::filesystem::path beside{};  ///< is shown beside this one, while that is open; empty: alone
  };

  void begin(const Waiting& next);
  void beginNext();
  void postWaiting(const Waiting& waiting);
  /// Ends what runs to make room for one that waits.
  void cancelRunningToStart(std::uint64_t number);
  void dropWaiting(std::uint64_t number);
  /// Shows a newer state, unless something else was opened: then it is kept. True: it is shown.
  bool showIfStillWanted(const report::ReportPtr& report);
  void open(const report::LoadedReport& loaded);
  [[nodiscard]] bool isOpen(const std::filesystem::path& id) const;
  /// `ids` are the unsaved comparisons that are open now: those that were open are not lost.
  void followOpen(std::vector<std::filesystem::path> ids);
  void release(std::vector<report::LoadedReport> gone);
  void postStillRunning();
  void postClosed(KeptComparison& closed);
  void finish(const ComparisonAnswer& answer);
  /// `back`: leads to what was compared, where that is not shown.
  void postEnd(const ComparisonAnswer& answer, std::vector<MessageAction> back);
  void postOutcome(const ComparisonAnswer& answer, std::vector<MessageAction> back);
  /// What leads from the outcome of the comparison that is shown to its places.
  [[nodiscard]] std::vector<MessageAction> actionsOf(const ComparisonOutcome& outcome);
  /// The message stays when the next comparison begins, where that waits already or where the
  /// message `leadsBack`.
  [[nodiscard]] QString outcomeTopic(bool leadsBack) const;
  [[nodiscard]] MessageAction backTo(const std::filesystem::path& id);

  ReportSet& m_reports;
  Messages& m_messages;
  WindowRequests& m_requests;
  SettingsStore& m_settings;
  Background& m_background;
  std::shared_ptr<std::stop_source> m_stop;  ///< of what runs; null: nothing does
  report::DumpOrigin m_origin;               ///< of what runs or ran last
  QString m_title;
  double m_fraction = 0;
  RemainingTime m_time;
  std::filesystem::path m_id;       ///< of the report in the workspace; no file has it
  bool m_isOpened = false;          ///< in the workspace, until something else is
  bool m_userSwitchedAway = false;  ///< the user looks at something else: not to be replaced
  bool m_isToldHidden = false;      ///< a message says that what runs is not shown
  std::deque<Waiting> m_waiting;
  KeptComparisons m_kept;
  std::filesystem::path m_beside;             ///< of what runs: Waiting::beside
  std::vector<std::filesystem::path> m_open;  ///< the unsaved ones that are shown or about to be
  std::uint64_t m_count = 0;
};

}  // namespace ulp::views
