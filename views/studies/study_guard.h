#pragma once

#include <memory>

#include <QtCore/QFileSystemWatcher>
#include <QtCore/QLockFile>
#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace ulp::views {

class Background;
class Messages;
class StudyDocument;

/// Sees to it that no edit of a study is lost: keeps a copy of unsaved edits on disk, offers at the
/// next start what a crash left behind, and asks when another program changes the study's file.
/// All questions go to the message bar.
class StudyGuard : public QObject {
  Q_OBJECT

 public:
  /// `folder`: where the copies lie; made when missing.
  StudyGuard(StudyDocument& study, Messages& messages, Background& background, QString folder);
  /// Nothing is left behind when the study is saved or its edits were given up.
  ~StudyGuard() override;
  StudyGuard(const StudyGuard&) = delete;
  StudyGuard& operator=(const StudyGuard&) = delete;

  /// $XDG_STATE_HOME/ulpscope, else ~/.local/state/ulpscope.
  [[nodiscard]] static QString defaultFolder();
  /// Looks for copies that no living program owns and offers each.
  void offerRecovery();
  /// The file of this program's copy; exists while there are unsaved edits.
  [[nodiscard]] QString copyFile() const { return m_file; }

 private:
  struct Copy;

  void onEdited();
  void writeCopy();
  /// In the background, behind what is written there.
  void removeCopy();
  void watch();
  void readDisk();
  void askAboutDisk(const QString& disk);
  void offer(const Copy& copy);

  StudyDocument& m_study;
  Messages& m_messages;
  Background& m_background;
  QString m_folder;
  QString m_file;
  std::shared_ptr<QLockFile> m_lock;  ///< of m_file, from the first copy on
  QTimer m_copyDelay{this};
  QTimer m_diskDelay{this};
  QFileSystemWatcher m_watcher;
  QStringList m_recovered;  ///< copies that were taken over, to be removed
  QString m_askedAbout;     ///< what the file held when the user was asked last
};

}  // namespace ulp::views
