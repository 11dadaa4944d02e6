#include "widgets/code/xml_tokenizer.h"

#include <algorithm>

namespace helio {

namespace {

constexpr auto CommentBegin = QLatin1String("<!--");
constexpr auto CommentEnd = QLatin1String("-->");

bool isOfName(QChar c) { return c.isLetterOrNumber() || c == '_' || c == '-' || c == ':' || c == '.' || c == '/' || c == '?'; }

/// Index behind the next `end`; the line's length if there is none.
int endOf(const QString& line, QLatin1String end, int from)
{
    const auto at = line.indexOf(end, from);
    return int(at < 0 ? line.size() : at + end.size());
}

} // namespace

std::vector<CodeToken> XmlTokenizer::read(const QString& line)
{
    std::vector<CodeToken> pieces;
    const auto take = [&](int from, int to, TokenKind word) {
        if (to > from)
            pieces.push_back({from, to - from, word});
        return to;
    };
    const auto takeComment = [&](int from) {
        const int end = endOf(line, CommentEnd, from);
        m_isInComment = !QStringView(line).left(end).endsWith(CommentEnd) || end - from < CommentEnd.size();
        return take(from, end, TokenKind::Comment);
    };
    int at = m_isInComment ? takeComment(0) : 0;
    while (at < line.size()) {
        if (QStringView(line).mid(at).startsWith(CommentBegin)) {
            at = takeComment(at);
        } else if (line[at] == '<') {
            const auto end = std::find_if_not(line.begin() + at + 1, line.end(), isOfName);
            at = take(at + 1, int(end - line.begin()), TokenKind::Keyword);
        } else if (line[at] == '"' || line[at] == '\'') {
            const auto end = line.indexOf(line[at], at + 1);
            at = take(at, int(end < 0 ? line.size() : end + 1), TokenKind::String);
        } else {
            ++at;
        }
    }
    return pieces;
}

} // namespace helio
