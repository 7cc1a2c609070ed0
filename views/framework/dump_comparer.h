#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/base/error.h"
#include "core/report/dump_origin.h"
#include "core/report/report.h"
#include "views/framework/message.h"
#include "views/framework/remaining_time.h"

namespace ulp::views {

class Background;
class SettingsStore;
class Workspace;

/// Compares dumps in the background, one pair at a time, and shows what is finished in the
/// workspace while the rest is compared. It goes on when something else is opened; a message then
/// leads back, as it does to a finished comparison that was closed without being saved. What it
/// shows is no file until saveAs(). Lives on the GUI thread.
class DumpComparer : public QObject {
  Q_OBJECT

 public:
  DumpComparer(Workspace& workspace,
               SettingsStore& settings,
               Background& background,
               QObject* parent = nullptr);
  ~DumpComparer() override;
  DumpComparer(const DumpComparer&) = delete;
  DumpComparer& operator=(const DumpComparer&) = delete;

  /// Takes the place of a comparison that runs.
  void start(const report::DumpOrigin& origin);
  /// What is finished stays.
  void stop();
  [[nodiscard]] bool isRunning() const { return m_stop != nullptr; }
  [[nodiscard]] bool isStopping() const { return isRunning() && m_stop->stop_requested(); }
  /// "target – golden", of the comparison that runs.
  [[nodiscard]] const QString& title() const { return m_title; }
  [[nodiscard]] double fraction() const { return m_fraction; }  ///< from 0 to 1
  /// Nothing while too little is done to tell.
  [[nodiscard]] std::optional<double> secondsLeft() const;

  /// The open report is a comparison that is no file yet, and is finished.
  [[nodiscard]] bool canSave() const;
  /// Writes it as the folder `path`, which is then the open report. Errors, among them a folder
  /// that holds a report already, become messages.
  void saveAs(const QString& path);

 Q_SIGNALS:
  void progressed();  ///< started, a step further, or over
  void ended();

 private:
  struct News;
  struct Answer;

  /// Shows a newer state, unless something else was opened: then it is kept. True: it is shown.
  bool take(const report::ReportPtr& report);
  void forgetNewest();
  void showNewest();
  /// The comparison that was open is not lost when it is not open any more.
  void followDocument();
  void sayItGoesOn();
  void sayItWasClosed(const report::LoadedReport& closed);
  void finish(const Answer& answer);
  /// `back`: leads to what was compared, where that is not shown.
  void sayOutcome(const Answer& answer, std::vector<MessageAction> back);

  Workspace& m_workspace;
  SettingsStore& m_settings;
  Background& m_background;
  std::shared_ptr<std::stop_source> m_stop;  ///< of what runs; null: nothing does
  QString m_title;
  double m_fraction = 0;
  RemainingTime m_time;
  std::filesystem::path m_id;    ///< of the report in the workspace; no file has it
  bool m_isOpened = false;       ///< in the workspace, until something else is
  bool m_isOtherWanted = false;  ///< the user opened something before there was anything to show
  bool m_isToldHidden = false;   ///< a message says that what runs is not shown
  std::optional<report::LoadedReport> m_newest;  ///< of what runs or ran, until it is shown
  std::optional<report::LoadedReport> m_open;    ///< that is no file, in what is shown
  std::uint64_t m_count = 0;
};

}  // namespace ulp::views
