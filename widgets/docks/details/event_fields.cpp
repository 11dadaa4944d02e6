#include "widgets/docks/details/event_fields.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace helio {

namespace {

constexpr int DeepestShown = 16;

/// Reads the members of a JSON object one after the other, without changing numbers or the order of members.
class MemberReader {
public:
    explicit MemberReader(QStringView object)
        : m_text(object)
    {
    }

    /// Reads the beginning of the object. Returns false if the text is no object.
    bool begin() { return take(u'{'); }

    /// Reads a member: its name and the text of its value. Returns false at the end of the object and if the text is no JSON.
    bool next(QString& name, QStringView& value)
    {
        if (take(u'}')) {
            skipSpace();
            m_isComplete = m_at == m_text.size();
            return false;
        }
        if (std::exchange(m_isInside, true) && !take(u','))
            return false;
        skipSpace();
        const QStringView key = string();
        if (key.isEmpty() || !take(u':'))
            return false;
        name = unquoted(key);
        skipSpace();
        value = anyValue();
        return !value.isEmpty();
    }
    bool isComplete() const { return m_isComplete; } ///< True if next() read the end of the object, and nothing follows it.

    static QString unquoted(QStringView string)
    {
        const QJsonDocument read = QJsonDocument::fromJson('[' + string.toUtf8() + ']');
        return read.array().isEmpty() ? string.toString() : read.array().first().toString();
    }

private:
    void skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }
    bool take(char16_t c)
    {
        skipSpace();
        const bool isThere = m_at < m_text.size() && m_text[m_at] == c;
        m_at += isThere;
        return isThere;
    }
    /// Reads a string with its quotes; returns an empty text if there is none.
    QStringView string()
    {
        const qsizetype begin = m_at;
        if (begin >= m_text.size() || m_text[begin] != u'"')
            return {};
        for (++m_at; m_at < m_text.size(); ++m_at)
            if (m_text[m_at] == u'\\')
                ++m_at;
            else if (m_text[m_at] == u'"')
                return m_text.mid(begin, ++m_at - begin);
        return {};
    }
    /// Reads a value up to the comma or bracket that follows it.
    QStringView anyValue()
    {
        const qsizetype begin = m_at;
        int open = 0; // Number of brackets of the value that are open.
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at];
            if (c == u'"') {
                if (string().isEmpty())
                    return {};
                continue;
            }
            if (open == 0 && (c == u',' || c == u'}' || c == u']'))
                break;
            open += c == u'{' || c == u'[' ? 1 : c == u'}' || c == u']' ? -1 : 0;
            ++m_at;
        }
        return m_text.mid(begin, m_at - begin).trimmed();
    }

    QStringView m_text;
    qsizetype m_at = 0;
    bool m_isInside = false; ///< True after the first member.
    bool m_isComplete = false;
};

/// Adds a line for each member of a JSON object. Returns false if the text is no object.
bool addMembers(QStringView object, int depth, std::vector<FieldLine>& lines)
{
    MemberReader reader(object);
    QString name;
    QStringView value;
    if (!reader.begin())
        return false;
    while (reader.next(name, value)) {
        const std::size_t own = lines.size();
        lines.push_back({name, {}, depth});
        if (depth < DeepestShown && addMembers(value, depth + 1, lines) && lines.size() > own + 1)
            continue;
        lines.resize(own + 1);
        lines.back().value = value.startsWith(u'"') ? MemberReader::unquoted(value) : value.toString();
    }
    return reader.isComplete();
}

class Lister {
public:
    explicit Lister(std::size_t limit)
        : m_limit(limit)
    {
    }

    void add(const QString& name, const FieldValue& value, int depth)
    {
        const bool isFull = m_lines.size() >= m_limit;
        m_left += isFull;
        if (const auto* members = std::get_if<std::vector<NamedValue>>(&value.value); members && depth < DeepestShown) {
            put(name, {}, depth);
            for (const NamedValue& member : *members)
                add(QString::fromStdString(member.name), member.value, depth + 1);
        } else if (const auto* elements = std::get_if<std::vector<FieldValue>>(&value.value); elements && depth < DeepestShown) {
            put(name, elements->empty() ? QStringLiteral("[ ]") : QString(), depth);
            for (std::size_t i = 0; i < elements->size(); ++i)
                add(QStringLiteral("[%1]").arg(i), (*elements)[i], depth + 1);
        } else {
            const QString text = QString::fromStdString(displayText(value));
            const std::vector<FieldLine> arguments = name == QLatin1String("args") ? argumentLines(text) : std::vector<FieldLine>();
            put(name, arguments.empty() ? text : QString(), depth);
            for (const FieldLine& it : arguments) {
                m_left += m_lines.size() >= m_limit;
                put(it.name, it.value, depth + 1 + it.depth);
            }
        }
    }

    std::vector<FieldLine> take()
    {
        if (m_left > 0)
            m_lines.push_back({QStringLiteral("\u2026"), QStringLiteral("%1 more").arg(m_left), 0});
        return std::move(m_lines);
    }

private:
    void put(const QString& name, const QString& value, int depth)
    {
        if (m_lines.size() < m_limit)
            m_lines.push_back({name, value, depth});
    }

    std::size_t m_limit;
    std::size_t m_left = 0;
    std::vector<FieldLine> m_lines;
};

} // namespace

std::vector<FieldLine> argumentLines(const QString& json)
{
    constexpr qsizetype Longest = 32'768; // Longer texts are shown as they are.
    std::vector<FieldLine> lines;
    if (json.size() > Longest || !addMembers(json, 0, lines))
        lines.clear();
    return lines;
}

std::vector<FieldLine> fieldLines(const EventRow& row, std::size_t limit)
{
    Lister lister(limit);
    for (const NamedValue& field : row.context)
        lister.add(QString::fromStdString(field.name), field.value, 0);
    for (const NamedValue& field : row.fields)
        lister.add(QString::fromStdString(field.name), field.value, 0);
    return lister.take();
}

} // namespace helio
