#include "app/gui/session/translations.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>
#include <QtCore/QLibraryInfo>
#include <QtCore/QLocale>
#include <QtCore/QTranslator>

namespace ulp::app {
namespace {

const QString kTranslationsFolder = QStringLiteral(":/translations");

constexpr double kGrowth = 0.4;

}  // namespace

QString translationFor(const QStringList& wanted) {
  for (QString language : wanted) {
    language.replace(u'-', u'_');
    if (language == QLatin1String("C") || language.startsWith(QLatin1String("en"))) {
      break;
    }
    // "zh_Hans_CN" is written in full, and is the same language; "de" is for "de_AT" as well.
    const QStringList parts = language.split(u'_');
    const QString territory = parts.front() + u'_' + parts.back();
    for (const QString& name : {language, territory, parts.front()}) {
      if (QFile::exists(QStringLiteral("%1/ulpscope_%2.qm").arg(kTranslationsFolder, name))) {
        return name;
      }
    }
  }
  return QStringLiteral("en");
}

Translations::Translations(const QString& language, bool pseudo) {
  // A count of "1.234" beside an error of 0.54 would be read wrong, so that no number has commas.
  QLocale::setDefault(QLocale::c());
  if (pseudo) {
    install(std::make_unique<PseudoTranslator>());
    return;
  }
  const bool followsSystem = language == QLatin1String("system");
  const QString name =
      translationFor(followsSystem ? QLocale::system().uiLanguages() : QStringList{language});
  load(QStringLiteral("qtbase_") + name, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
  load(QStringLiteral("ulpscope_") + name, kTranslationsFolder);
}

Translations::~Translations() {
  for (const auto& translator : m_installed) {
    QCoreApplication::removeTranslator(translator.get());
  }
}

void Translations::load(const QString& file, const QString& folder) {
  auto translator = std::make_unique<QTranslator>();
  // Texts of Qt itself are translated where the system has the translation.
  if (translator->load(file, folder)) {
    install(std::move(translator));
  }
}

void Translations::install(std::unique_ptr<QTranslator> translator) {
  QCoreApplication::installTranslator(translator.get());
  m_installed.push_back(std::move(translator));
}

QString PseudoTranslator::lengthened(const QString& source) {
  if (source.trimmed().isEmpty()) {
    return source;
  }
  const auto extra = static_cast<qsizetype>(static_cast<double>(source.size()) * kGrowth) - 2;
  return u'[' + source + QString(std::max<qsizetype>(1, extra), u'·') + u']';
}

QString PseudoTranslator::translate(const char* context,
                                    const char* source,
                                    const char* /*disambiguation*/,
                                    int /*n*/) const {
  // Names of keys are put together from many texts.
  const bool isKey = qstrcmp(context, "QShortcut") == 0;
  return isKey ? QString() : lengthened(QString::fromUtf8(source));
}

}  // namespace ulp::app
