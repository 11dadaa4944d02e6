#include "widgets/eventlist/event_text.h"

#include "widgets/controls/table_copy.h"
#include "widgets/eventlist/event_model.h"

#include <QRegularExpression>

namespace helio {

namespace {

QString textOf(const std::string& text) { return QString::fromStdString(text); }

/// Returns the fields as "k=v;k=v", with ; = and backslashes escaped.
QString csvFields(const EventRow& row)
{
    const auto escaped = [](QString text) {
        static const QRegularExpression special(QStringLiteral("([;=\\\\])"));
        return text.replace(special, QStringLiteral("\\\\1"));
    };
    QStringList parts;
    for (const NamedValue& field : row.fields)
        parts << escaped(textOf(field.name)) + QLatin1Char('=') + escaped(textOf(displayText(field.value)));
    return parts.join(QLatin1Char(';'));
}

QString numberOr(std::int64_t number) { return number >= 0 ? QString::number(number) : QString(); }

QString quoted(QString text)
{
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    text.replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

/// Returns the value as a literal of the expression language; empty if no literal equals the value.
QString literalOf(const FieldValue& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value.value))
        return QString::number(*number);
    if (const auto* number = std::get_if<std::uint64_t>(&value.value))
        return QString::number(*number);
    if (const auto* label = std::get_if<EnumValue>(&value.value))
        return label->isSigned ? QString::number(label->number) : QString::number(static_cast<std::uint64_t>(label->number));
    const auto* text = std::get_if<std::string>(&value.value);
    const QString read = text ? textOf(*text) : QString();
    return text && read.toStdString() == *text ? quoted(read) : QString(); // A value that is not UTF-8 has no literal.
}

} // namespace

QString eventsAsText(const std::vector<EventRow>& rows, const TimeFormat& format)
{
    QString text = QStringLiteral("Time\tCPU\tTID\tEvent\tFields\n");
    for (const EventRow& row : rows)
        text += QStringList{row.hasTime ? timeText(row.time, format) : QString(), numberOr(row.cpu), numberOr(row.tid), textOf(row.name),
                            fieldsText(row)}
                    .join(QLatin1Char('\t'))
            + QLatin1Char('\n');
    return text;
}

QString eventsAsCsv(const std::vector<EventRow>& rows)
{
    QString text = QStringLiteral("time_ns,trace,cpu,name,fields\r\n");
    for (const EventRow& row : rows)
        text += QStringList{row.hasTime ? QString::number(nanoseconds(row.time)) : QString(), QString::number(row.trace), numberOr(row.cpu),
                            csvQuoted(textOf(row.name)), csvQuoted(csvFields(row))}
                    .join(QLatin1Char(','))
            + QLatin1String("\r\n");
    return text;
}

std::vector<FieldChoice> fieldChoices(const EventRow& row)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    static const QStringList reserved{"name", "thread", "cpu",      "time",     "tid",    "pid",
                                      "host", "state",  "duration", "contains", "fields", "context"};
    std::vector<FieldChoice> choices;
    for (const NamedValue& field : row.fields) {
        const QString name = textOf(field.name);
        const QString literal = literalOf(field.value);
        if (literal.isEmpty() || !name.contains(plain))
            continue;
        choices.push_back(
            {name, (reserved.contains(name) ? QStringLiteral("fields.") : QString()) + name + QStringLiteral(" == ") + literal});
    }
    return choices;
}

QString combineFilters(const QString& filter, const QString& expression)
{
    if (filter.isEmpty() || expression.isEmpty())
        return filter + expression;
    const bool isOr = filter.contains(QLatin1String("||"));
    return (isOr ? QLatin1Char('(') + filter + QLatin1Char(')') : filter) + QStringLiteral(" && ") + expression;
}

} // namespace helio
