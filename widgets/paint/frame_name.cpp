#include "widgets/paint/frame_name.h"

#include "widgets/paint/text.h"

#include <algorithm>
#include <vector>

namespace helio {

namespace {

/// Longer names are only cut at the end. Names of C++ have thousands of characters, but recordings can have names of megabytes, whose parts
/// take the UI thread too long to find.
constexpr qsizetype MostCharacters = 16'384;

const QString Dots = QStringLiteral("\u2026");

/// Calls `outside` with the index of each character that is outside of brackets.
template <typename Outside> void walkOutside(const QString& name, const Outside& outside)
{
    int depth = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (depth == 0 && QStringView(name).mid(i).startsWith(u"operator")) { // The brackets of "operator<" open nothing.
            for (const qsizetype end = i + 8; i < end; ++i)
                outside(i);
            while (i < name.size() && QStringView(u"<>-=()").contains(name[i]))
                outside(i++);
            if (i >= name.size())
                return;
        }
        const QChar c = name[i];
        if (depth == 0)
            outside(i);
        if (c == u'<' || c == u'(' || c == u'{')
            ++depth;
        else if ((c == u'>' || c == u')' || c == u'}') && depth > 0)
            --depth;
    }
}

/// Indices of the name's parts that follow a "::".
std::vector<qsizetype> partBegins(const QString& name)
{
    std::vector<qsizetype> begins;
    walkOutside(name, [&](qsizetype i) {
        if (name[i] == u':' && i + 2 < name.size() && name[i + 1] == u':')
            begins.push_back(i + 2);
    });
    return begins;
}

QString withoutTemplateArguments(const QString& name)
{
    QString result;
    qsizetype from = 0;
    int depth = 0;
    std::vector<bool> isOutside(std::size_t(name.size()), false);
    walkOutside(name, [&](qsizetype i) { isOutside[std::size_t(i)] = true; });
    for (qsizetype i = 0; i < name.size(); ++i) {
        const bool opens = name[i] == u'<' && isOutside[std::size_t(i)] && i + 1 < name.size() && !isOutside[std::size_t(i + 1)];
        if (depth == 0 && opens) {
            result += name.mid(from, i - from) + QStringLiteral("<\u2026>");
            depth = 1;
        } else if (depth == 1 && i + 1 < name.size() && isOutside[std::size_t(i + 1)]) {
            depth = 0;
            from = i + 1;
        }
    }
    return depth == 1 ? result : result + name.mid(from);
}

/// Returns `name` if it fits the width `room`; otherwise its longest end after a "::" that fits, e.g. "…C::run"; empty if none fits.
QString longestEnd(const QFont& font, const QString& name, qreal room)
{
    if (cachedTextWidth(font, name) <= room)
        return name;
    const std::vector<qsizetype> begins = partBegins(name);
    const auto isTooWide = [&](qsizetype begin) { return cachedTextWidth(font, Dots + name.mid(begin)) > room; };
    const auto fitting = std::ranges::partition_point(begins, isTooWide); // The later a part begins, the shorter is the end.
    return fitting == begins.end() ? QString() : Dots + name.mid(*fitting);
}

} // namespace

QString elidedFrame(const QFont& font, const QString& name, qreal room)
{
    if (name.size() > MostCharacters)
        return elidedLabel(font, name, room);
    const QString full = longestEnd(font, name, room);
    if (full == name)
        return name;
    const QString plain = withoutTemplateArguments(name);
    const QString bare = longestEnd(font, plain, room);
    if (!full.isEmpty() || !bare.isEmpty())
        return cachedTextWidth(font, bare) > cachedTextWidth(font, full) ? bare : full;
    const std::vector<qsizetype> begins = partBegins(plain);
    return elidedLabel(font, begins.empty() ? plain : plain.mid(begins.back()), room);
}

} // namespace helio
