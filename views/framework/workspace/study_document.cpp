#include "views/framework/workspace/study_document.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include "core/base/barrier.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folder_turn.h"
#include "core/base/text/utf8.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/message.h"
#include "views/framework/words/utf8_text.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::views {
namespace {

const QString kOpenStudyTag = QStringLiteral("open-study");
constexpr int kUndoLimit = 1000;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

Result<QString> studyTextOf(std::string_view bytes, const QString& path) {
  ULP_TRY(checkUtf8(bytes, path.toStdString()));
  // Qt takes a mark at the beginning for no part of the text.
  return bytes.starts_with(kByteOrderMark)
             ? QChar(QChar::ByteOrderMark) + utf8Text(bytes.substr(kByteOrderMark.size()))
             : utf8Text(bytes);
}

Result<QString> readStudyText(const QString& path) {
  const std::string bytes = ULP_TRY(readTextFile(path.toStdString(), kStudyLimitBytes));
  return studyTextOf(bytes, path);
}

bool isStudyFile(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  return suffix == QLatin1String("yaml") || suffix == QLatin1String("yml");
}

StudyDocument::StudyDocument(Background& background, SettingsStore& settings, Messages& messages)
    : m_background(background), m_settings(settings), m_messages(messages) {
  m_history.setUndoLimit(kUndoLimit);
  connect(&m_background, &Background::busyChanged, this, [this](const QString& tag) {
    if (tag == kOpenStudyTag) {
      Q_EMIT loadingChanged();
    }
  });
}

bool StudyDocument::isLoading() const {
  return m_background.isBusy(kOpenStudyTag);
}

bool StudyDocument::hasUnsavedEdits() const {
  const bool isUntouchedTemplate = m_content.path.isEmpty() && m_history.isClean();
  return m_isOpen && m_content.isModified() && !isUntouchedTemplate;
}

void StudyDocument::open(const QString& path) {
  m_background.run<Result<QString>>(
      kOpenStudyTag,
      this,
      [path](const std::stop_token&) { return readStudyText(path); },
      [this, path](const Result<QString>& text) {
        if (m_messages.settle(text, kOpenStudyTag)) {
          rememberStudy(m_settings, path);
          setContent({.path = path, .text = *text, .savedText = *text});
        }
      });
}

void StudyDocument::openNew() {
  QFile file(QStringLiteral(":/templates/study.yaml"));
  openCopy(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString());
}

void StudyDocument::restore(const QString& path, const QString& disk, const QString& edited) {
  setContent({.path = path, .text = disk, .savedText = disk});
  edit(edited, tr("recovery"));
}

const StudyText& StudyDocument::finished() {
  if (m_isOpen) {
    Q_EMIT finishing();
  }
  return m_content;
}

void StudyDocument::close() {
  m_background.cancel(kOpenStudyTag);
  offerReplaced();
  m_isOpen = false;
  ++m_openedCount;
  m_content = {};
  m_history.clear();
  Q_EMIT changed();
}

void StudyDocument::setContent(StudyText content) {
  offerReplaced();
  ++m_openedCount;
  m_content = std::move(content);
  m_isOpen = true;
  m_history.clear();
  Q_EMIT changed();
  Q_EMIT opened();
}

void StudyDocument::offerReplaced() {
  finished();
  if (!hasUnsavedEdits()) {
    return;
  }
  const StudyText old = m_content;
  const QString name = old.path.isEmpty() ? tr("The new study") : old.path;
  m_messages.raise({.text = tr("%1 was closed with edits that are not saved.").arg(name),
                    .topic = QStringLiteral("replaced-study"),
                    .actions = {{tr("Bring it back"),
                                 [this, old] { restore(old.path, old.savedText, old.text); }}}});
}

void StudyDocument::applyText(const QString& text) {
  if (text != m_content.text) {
    m_content.text = text;
    Q_EMIT edited();
  }
}

void StudyDocument::setText(const QString& text) {
  edit(text, tr("typing"), {.id = QStringLiteral("typing"), .isTyping = true});
}

void StudyDocument::edit(const QString& text, const QString& step, const EditMerge& merge) {
  if (text != m_content.text) {
    m_history.push(new StudyEdit(
        m_content.text, text, step, merge, [this](const QString& to) { applyText(to); }));
  }
}

void StudyDocument::setSavedText(const QString& text) {
  m_content.savedText = text;
  if (m_content.isModified()) {
    m_history.resetClean();
  } else {
    m_history.setClean();
  }
}

void StudyDocument::acceptDiskText(const QString& disk) {
  setSavedText(disk);
  Q_EMIT edited();
}

struct StudyDocument::Saved {
  QString text;
  std::optional<QString> conflict{};  ///< what another program wrote
  Result<> result{};

  /// Writes `study` to `path`, unless that is its own file and another program has changed it.
  Result<> write(const StudyText& study, const QString& path) {
    const std::filesystem::path file = path.toStdString();
    const std::filesystem::path target = ULP_TRY(followLinks(file));
    const FolderTurn turn = ULP_TRY(FolderTurn::take(target.parent_path()));
    if (path == study.path) {
      const Result<QString> disk = readStudyText(path);
      if (!disk && disk.error().code() != ErrorCode::NotFound) {
        return failWhile("nothing was written", Result<>(tl::make_unexpected(disk.error())));
      }
      if (disk && *disk != study.savedText && *disk != study.text) {
        conflict = *disk;
        return fail(ErrorCode::InvalidArgument,
                    StudyDocument::tr(
                        "%1: changed by another program since it was read; nothing was written")
                        .arg(path)
                        .toStdString());
      }
    }
    return writeFileAtomically(file, study.text.toStdString(), LinkPolicy::Follow);
  }
};

void StudyDocument::save(const QString& path, const std::function<void(const Result<>&)>& done) {
  const StudyText study = finished();
  m_textBeingSaved = study.text;
  m_background.save<Saved>(
      QStringLiteral("save-study/") + path,
      this,
      [study, path] {
        Saved saved{.text = study.text};
        saved.result = behindBarrier(path.toStdString(), [&] { return saved.write(study, path); });
        return saved;
      },
      [this, path, done, opened = m_openedCount, newest = ++m_saveCount](const Saved& saved) {
        if (m_textBeingSaved == saved.text) {
          m_textBeingSaved.reset();
        }
        // Another study may have been opened, or this one saved elsewhere, meanwhile.
        if (opened == m_openedCount && newest == m_saveCount) {
          finishSaving(path, saved);
        }
        done(saved.result);
      });
}

void StudyDocument::finishSaving(const QString& path, const Saved& saved) {
  if (saved.conflict) {
    Q_EMIT conflicted(*saved.conflict);
  }
  if (!saved.result) {
    return;
  }
  m_content.path = path;
  setSavedText(saved.text);
  rememberStudy(m_settings, path);
  Q_EMIT changed();
}

}  // namespace ulp::views
