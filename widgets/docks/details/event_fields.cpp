#include "widgets/docks/details/event_fields.h"

namespace helio {

namespace {

constexpr int DeepestShown = 16;

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
            put(name, QString::fromStdString(displayText(value)), depth);
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
