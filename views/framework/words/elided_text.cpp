#include "views/framework/words/elided_text.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <QtCore/QHash>

namespace ulp::views {
namespace {

const QChar kEllipsis(0x2026);
constexpr int kFewestOfFact = 14;  ///< characters that are left of each, about

/// Takes the rest of a number away that was cut at the ellipsis of `shortened`.
QString withoutCutNumbers(const QString& shortened, const QString& whole) {
  const qsizetype at = shortened.indexOf(kEllipsis);
  if (at < 0) {
    return shortened;
  }
  QString head = shortened.left(at);
  QString tail = shortened.mid(at + 1);
  if (isOfNumber(whole, head.size())) {
    while (isOfNumber(whole, head.size() - 1)) {
      head.chop(1);
    }
  }
  if (isOfNumber(whole, whole.size() - tail.size() - 1)) {
    while (isOfNumber(whole, whole.size() - tail.size())) {
      tail.remove(0, 1);
    }
  }
  return head + kEllipsis + tail;
}

bool isNumber(const QString& part) {
  return !part.isEmpty() &&
         std::ranges::all_of(part, [](QChar letter) { return letter.isDigit(); });
}

/// The parts of a dotted name or of a path; a point between digits is one of a number.
QStringList partsOf(const QString& name, QChar separator) {
  QStringList parts{QString()};
  for (qsizetype i = 0; i < name.size(); ++i) {
    if (name.at(i) == separator && !isOfNumber(name, i)) {
      parts << QString();
    } else {
      parts.back() += name.at(i);
    }
  }
  return parts;
}

/// Shorter forms of a name of several parts, each less telling than the one before.
QStringList shorterForms(const QStringList& parts, QChar separator) {
  const auto last = parts.size() - 1;
  qsizetype layer = last - 1;
  while (layer >= 0 && !isNumber(parts[layer])) {
    --layer;
  }
  const auto from = [&](qsizetype part) { return parts.mid(part).join(separator); };
  QStringList forms;
  for (qsizetype part = 1; part <= std::max<qsizetype>(layer, 0); ++part) {
    forms << kEllipsis + from(part);
  }
  for (qsizetype part = layer + 2; part <= last; ++part) {
    forms << (layer < 0 ? kEllipsis + from(part)
                        : kEllipsis + parts[layer] + kEllipsis + from(part));
  }
  forms << kEllipsis + parts[last];
  return forms;
}

/// A word of a name, or a number in it.
struct NameWord {
  qsizetype begin = 0;
  qsizetype end = 0;
};

bool isBetweenWords(const QString& name, qsizetype at) {
  return !name.at(at).isLetterOrNumber() && !isOfNumber(name, at);
}

std::vector<NameWord> wordsOf(const QString& name) {
  std::vector<NameWord> words;
  for (qsizetype at = 0; at < name.size(); ++at) {
    if (isBetweenWords(name, at)) {
      continue;
    }
    if (words.empty() || words.back().end != at) {
      words.push_back({at, at});
    }
    words.back().end = at + 1;
  }
  return words;
}

/// The words of a name that tell it from each of the others.
std::set<std::size_t> tellingWords(const QString& name,
                                   const std::vector<NameWord>& words,
                                   const QStringList& others) {
  std::set<std::size_t> telling;
  for (const QString& other : others) {
    if (other != name) {
      const auto [differs, ignored] = std::ranges::mismatch(name, other);
      const auto word = std::ranges::upper_bound(words, differs - name.begin(), {}, &NameWord::end);
      telling.insert(
          static_cast<std::size_t>(std::min(word - words.begin(), std::ssize(words) - 1)));
    }
  }
  return telling;
}

/// A name of which some words are left, "…" for the others.
QString withWords(const QString& name,
                  const std::vector<NameWord>& words,
                  const std::set<std::size_t>& left) {
  QString shown;
  qsizetype end = 0;
  bool isNext = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!left.contains(i)) {
      isNext = false;
      continue;
    }
    shown += isNext ? name.mid(end, words[i].begin - end) : QString(kEllipsis);
    shown += name.mid(words[i].begin, words[i].end - words[i].begin);
    end = words[i].end;
    isNext = true;
  }
  return shown + (isNext ? name.mid(end) : QString(kEllipsis));
}

/// Shortens a name by what it shares with the others; nothing where there is no room for the rest.
QString elidedAmong(const QString& name,
                    const QStringList& others,
                    const QFontMetricsF& metrics,
                    double width) {
  constexpr std::size_t kMostWords = 64;
  const std::vector<NameWord> words = wordsOf(name);
  if (words.empty() || words.size() > kMostWords) {
    return {};
  }
  std::set<std::size_t> left = tellingWords(name, words, others);
  QString shown = withWords(name, words, left);
  if (metrics.horizontalAdvance(shown) > width) {
    return {};
  }
  // What room is left shows how they begin and end.
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto more = left;
    more.insert(i % 2 == 0 ? i / 2 : words.size() - 1 - i / 2);
    QString longer = withWords(name, words, more);
    if (metrics.horizontalAdvance(longer) <= width) {
      left = std::move(more);
      shown = std::move(longer);
    }
  }
  return shown;
}

/// A sentence whose longest dotted name is as short as it has to be, which may not be enough.
QString withShortName(const QString& sentence, const QFontMetricsF& metrics, double width) {
  const QStringList words = sentence.split(u' ');
  const auto longest = std::ranges::max_element(words, {}, [](const QString& word) {
    return partsOf(word, u'.').size() > 2 ? word.size() : 0;
  });
  const qsizetype place = longest - words.begin();
  const QString front =
      words.mid(0, place).join(u' ') + (place > 0 ? QStringLiteral(" ") : QString());
  const QString behind = sentence.mid(front.size() + longest->size());
  const QStringList parts = partsOf(*longest, u'.');
  if (parts.size() < 3) {
    return sentence;
  }
  const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  const double room =
      std::max(width - widthOf(front) - widthOf(behind), widthOf(kEllipsis + parts.back()) + 1);
  return front + elidedName(*longest, metrics, room) + behind;
}

}  // namespace

bool isOfNumber(const QString& text, qsizetype at) {
  const auto isDigit = [&text](qsizetype place) {
    return place >= 0 && place < text.size() && text.at(place).isDigit();
  };
  return isDigit(at) ||
         (at >= 0 && at < text.size() && text.at(at) == u'.' && isDigit(at - 1) && isDigit(at + 1));
}

QString elidedName(const QString& name, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(name) <= width) {
    return name;
  }
  const QChar separator = name.contains(u'/') ? u'/' : u'.';
  const QStringList parts = partsOf(name, separator);
  QString shown = name;
  if (parts.size() > 1) {
    const QStringList forms = shorterForms(parts, separator);
    // Names of others may have thousands of parts: not each form is measured.
    const auto fits = std::ranges::partition_point(
        forms, [&](const QString& form) { return metrics.horizontalAdvance(form) > width; });
    if (fits != forms.end()) {
      return *fits;
    }
    // Without the mark it would read as the whole name.
    shown = kEllipsis + parts.back();
  }
  return withoutCutNumbers(metrics.elidedText(shown, Qt::ElideMiddle, width), shown);
}

namespace {

/// The same for "a = b", each side for itself.
QString elidedSides(const QString& name, const QFontMetricsF& metrics, double width) {
  const QString equals = QStringLiteral(" = ");
  const qsizetype at = name.indexOf(equals);
  if (at < 0 || metrics.horizontalAdvance(name) <= width) {
    return elidedName(name, metrics, width);
  }
  const QString left = name.left(at);
  const QString right = name.mid(at + equals.size());
  const double room = width - metrics.horizontalAdvance(equals);
  const double rightRoom = std::max(room / 2, room - metrics.horizontalAdvance(left));
  const QString second = elidedName(right, metrics, rightRoom);
  const QString first = elidedName(left, metrics, room - metrics.horizontalAdvance(second));
  return first + equals + second;
}

}  // namespace

QStringList elidedNames(const QStringList& names, const QFontMetricsF& metrics, double width) {
  QStringList shown;
  QHash<QString, QString> nameOf;
  std::set<QString> ambiguous;
  for (const QString& name : names) {
    shown << elidedSides(name, metrics, width);
    if (const auto known = nameOf.constFind(shown.back()); known == nameOf.cend()) {
      nameOf.insert(shown.back(), name);
    } else if (*known != name) {
      ambiguous.insert(shown.back());
    }
  }
  for (qsizetype i = 0; i < names.size() && !ambiguous.empty(); ++i) {
    if (shown[i] != names[i] && ambiguous.contains(shown[i])) {
      const QString apart = elidedAmong(names[i], names, metrics, width);
      shown[i] = apart.isEmpty() ? shown[i] : apart;
    }
  }
  return shown;
}

QString elidedFacts(const QString& facts, const QFontMetricsF& metrics, double width) {
  const QString between = QStringLiteral(" · ");
  QStringList parts = facts.split(between);
  const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  // Of a path the end tells most, of a sentence its beginning, and all of a name.
  const auto kindOf = [](const QString& part) {
    return part.contains(u'/') ? 0 : part.contains(u' ') ? 1 : 2;
  };
  const double least = metrics.averageCharWidth() * kFewestOfFact;
  const auto shortened = [&](const QString& part, double room) {
    switch (kindOf(part)) {
      case 0:
        return elidedName(
            part, metrics, std::max(room, widthOf(kEllipsis + part.section(u'/', -1))));
      case 1:
        // The stub of a sentence says nothing, and takes the room of one that does.
        return room < least ? QString(kEllipsis) : elidedText(part, metrics, room);
      default:
        return elidedName(part, metrics, std::max(room, least));
    }
  };
  const auto line = [&] {
    QStringList shown;
    for (const QString& part : parts) {
      if (shown.isEmpty() || part != kEllipsis || shown.back() != part) {
        shown << part;
      }
    }
    return shown.join(between);
  };
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<qsizetype> order;
    for (qsizetype i = 0; i < parts.size(); ++i) {
      if (kindOf(parts[i]) == kind) {
        order.push_back(i);
      }
    }
    std::ranges::stable_sort(
        order, std::ranges::greater(), [&](qsizetype i) { return widthOf(parts[i]); });
    for (const qsizetype i : order) {
      const double excess = widthOf(line()) - width;
      if (excess > 0) {
        parts[i] = shortened(parts[i], widthOf(parts[i]) - excess);
      }
    }
  }
  return elidedText(line(), metrics, width);
}

QString elidedText(const QString& text, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(text) <= width) {
    return text;
  }
  bool isOneNumber = false;
  text.trimmed().toDouble(&isOneNumber);
  if (isOneNumber) {
    return elidedNumber(text, metrics, width);
  }
  if (!text.contains(u' ')) {
    return elidedName(text, metrics, width);
  }
  const QString shorter = withShortName(text, metrics, width);
  return metrics.horizontalAdvance(shorter) <= width
             ? shorter
             : withoutCutNumbers(metrics.elidedText(shorter, Qt::ElideRight, width), shorter);
}

QString elidedNumber(const QString& number, const QFontMetricsF& metrics, double width) {
  return metrics.horizontalAdvance(number) <= width ? number : QString(kEllipsis);
}

}  // namespace ulp::views
