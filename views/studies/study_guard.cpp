#include "views/studies/study_guard.h"

#include <utility>
#include <vector>

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QUuid>

#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/workspace/study_document.h"

namespace ulp::views {
namespace {

constexpr int kCopyDelayMs = 800;
constexpr int kDiskDelayMs = 150;

const QString kStudyCopyTag = QStringLiteral("autosave");
const QString kStudyOnDiskTopic = QStringLiteral("study-on-disk");

/// Waits until the names of the folders in which a file lies are on the disk.
Result<> syncFoldersAbove(const std::filesystem::path& file) {
  for (auto folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    ULP_TRY(syncFolder(folder.parent_path()));
  }
  return {};
}

}  // namespace

/// What a program that died left behind.
struct StudyGuard::Copy {
  QString file;
  QString path;  ///< of the study; empty: never saved
  QString text;
  QString disk;  ///< what the study's file holds now
};

StudyGuard::StudyGuard(StudyDocument& study,
                       Messages& messages,
                       Background& background,
                       QString folder)
    : m_study(study),
      m_messages(messages),
      m_background(background),
      m_folder(std::move(folder)),
      m_file(QStringLiteral("%1/unsaved-%2.json")
                 .arg(m_folder, QUuid::createUuid().toString(QUuid::Id128))) {
  m_copyDelay.setSingleShot(true);
  m_copyDelay.setInterval(kCopyDelayMs);
  m_diskDelay.setObjectName(QStringLiteral("disk"));
  m_diskDelay.setSingleShot(true);
  m_diskDelay.setInterval(kDiskDelayMs);
  connect(&m_copyDelay, &QTimer::timeout, this, &StudyGuard::writeCopy);
  connect(&m_diskDelay, &QTimer::timeout, this, &StudyGuard::readDisk);
  connect(&m_study, &StudyDocument::edited, this, &StudyGuard::onEdited);
  connect(&m_study, &StudyDocument::changed, this, [this] {
    onEdited();
    watch();
  });
  connect(&m_study, &StudyDocument::conflicted, this, [this](const QString& disk) {
    m_askedAbout.clear();
    askAboutDisk(disk);
  });
  const auto later = [this] { m_diskDelay.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
}

StudyGuard::~StudyGuard() {
  removeCopy();
}

QString StudyGuard::defaultFolder() {
  const QString state = qEnvironmentVariable("XDG_STATE_HOME");
  const QString home = state.isEmpty() ? QDir::homePath() + QStringLiteral("/.local/state") : state;
  return home + QStringLiteral("/ulpscope");
}

void StudyGuard::onEdited() {
  if (m_study.hasUnsavedEdits()) {
    if (!m_copyDelay.isActive()) {
      m_copyDelay.start();
    }
  } else {
    removeCopy();
  }
}

void StudyGuard::writeCopy() {
  if (!m_study.hasUnsavedEdits()) {
    return;
  }
  // Whatever may be new above the folder goes to the disk with the first copy.
  const bool isFolderNew = !m_lock && !QDir(m_folder).exists();
  if (!m_lock) {
    QDir().mkpath(m_folder);
    m_lock = std::make_shared<QLockFile>(m_file + QStringLiteral(".lock"));
    m_lock->setStaleLockTime(0);
    m_lock->lock();
  }
  const StudyText& study = m_study.content();
  const QJsonObject copy{{QStringLiteral("path"), study.path},
                         {QStringLiteral("text"), study.text}};
  const std::string json = QJsonDocument(copy).toJson().toStdString();
  const std::string file = m_file.toStdString();
  m_background.run<Result<>>(
      kStudyCopyTag,
      this,
      [json, file, isFolderNew](const std::stop_token&) -> Result<> {
        ULP_TRY(writeFileAtomically(file, json));
        return isFolderNew ? syncFoldersAbove(file) : Result<>();
      },
      [this](const Result<>& written) {
        if (!written) {
          m_messages.raise(messageOf(written.error(), kStudyCopyTag));
          return;
        }
        // The recovered edits lie in this copy now.
        for (const QString& old : std::exchange(m_recovered, {})) {
          QFile::remove(old);
        }
        if (!m_study.hasUnsavedEdits()) {
          removeCopy();
        }
      });
}

void StudyGuard::removeCopy() {
  m_copyDelay.stop();
  if (!m_lock) {
    return;
  }
  // In the tag's turn, so that a copy that is being written now does not come after its removal.
  // Whoever looks for copies meanwhile finds it locked.
  m_background.save<bool>(
      kStudyCopyTag,
      this,
      [file = m_file, lock = m_lock] { return QFile::remove(file); },
      [](bool) {});
}

void StudyGuard::offerRecovery() {
  m_background.run<std::vector<Copy>>(
      QStringLiteral("recovery"),
      this,
      [folder = m_folder](const std::stop_token&) {
        std::vector<Copy> copies;
        const auto files = QDir(folder).entryInfoList({QStringLiteral("unsaved-*.json")});
        for (const QFileInfo& info : files) {
          QLockFile lock(info.filePath() + QStringLiteral(".lock"));
          lock.setStaleLockTime(0);
          const auto json = readTextFile(info.filePath().toStdString(), kStudyLimitBytes);
          if (!lock.tryLock(0) || !json) {
            continue;
          }
          const QJsonObject copy =
              QJsonDocument::fromJson(QByteArray::fromStdString(*json)).object();
          const QString path = copy[QStringLiteral("path")].toString();
          const QString text = copy[QStringLiteral("text")].toString();
          if (!text.isEmpty()) {
            copies.push_back(
                {info.filePath(), path, text, readStudyText(path).value_or(QString())});
          }
        }
        return copies;
      },
      [this](const std::vector<Copy>& copies) {
        for (const Copy& copy : copies) {
          offer(copy);
        }
      });
}

void StudyGuard::offer(const Copy& copy) {
  const QString name = copy.path.isEmpty() ? tr("a study that was never saved") : copy.path;
  const auto recover = [this, copy] {
    m_recovered << copy.file;
    m_study.restore(copy.path, copy.disk, copy.text);
    m_copyDelay.stop();
    writeCopy();
  };
  m_messages.raise({.text = tr("Ulpscope ended before the edits of %1 were saved.").arg(name),
                    .topic = copy.file,
                    .actions = {{tr("Recover the edits"), recover},
                                {tr("Discard them"), [copy] { QFile::remove(copy.file); }}}});
}

void StudyGuard::watch() {
  if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty()) {
    m_watcher.removePaths(old);
  }
  m_askedAbout.clear();
  const QString path = m_study.content().path;
  if (m_study.isOpen() && !path.isEmpty()) {
    // Editors replace files; the folder tells when that happens.
    m_watcher.addPath(path);
    m_watcher.addPath(QFileInfo(path).absolutePath());
  }
}

void StudyGuard::readDisk() {
  const QString path = m_study.content().path;
  if (path.isEmpty()) {
    return;
  }
  m_background.run<Result<QString>>(
      QStringLiteral("study-on-disk"),
      this,
      [path](const std::stop_token&) { return readStudyText(path); },
      [this, path](const Result<QString>& disk) {
        if (path != m_study.content().path) {
          return;
        }
        if (!disk) {
          if (disk.error().code() == ErrorCode::CorruptData) {
            m_messages.raise(messageOf(disk.error(), kStudyOnDiskTopic));
          }
          return;
        }
        if (!m_watcher.files().contains(path)) {
          m_watcher.addPath(path);
        }
        askAboutDisk(*disk);
      });
}

void StudyGuard::askAboutDisk(const QString& disk) {
  if (disk == m_study.textBeingSaved()) {
    return;
  }
  const StudyText& study = m_study.content();
  if (disk == study.savedText || disk == study.text) {
    if (disk != study.savedText) {
      m_study.acceptDiskText(disk);
    }
    m_messages.dismiss(kStudyOnDiskTopic);
    m_askedAbout.clear();
    return;
  }
  if (disk == m_askedAbout) {
    return;
  }
  m_askedAbout = disk;
  const auto load = [this, disk] {
    m_study.edit(disk, tr("loading of the changed file"));
    m_study.acceptDiskText(disk);
  };
  const auto keep = [this, disk] { m_study.acceptDiskText(disk); };
  const QString text =
      m_study.hasUnsavedEdits()
          ? tr("%1 was changed by another program, and here as well. Loading can be undone; "
               "keeping lets the next save replace the file.")
          : tr("%1 was changed by another program. Loading can be undone; keeping lets the next "
               "save replace the file.");
  m_messages.raise({.text = text.arg(study.path),
                    .topic = kStudyOnDiskTopic,
                    .actions = {{tr("Load the file"), load}, {tr("Keep what is here"), keep}}});
}

}  // namespace ulp::views
