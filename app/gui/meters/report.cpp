#include "app/gui/meters/report.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/views.h"
#include "widgets/theme/themes.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QWidget>

namespace helio {

namespace {

QString text(Timestamp t) { return QString::number(nanoseconds(t)); }
QJsonArray text(TimeRange range) { return {text(range.begin), text(range.end)}; }

QString key(TrackRef ref) { return QStringLiteral("%1/%2").arg(std::uint32_t(ref.store)).arg(std::uint32_t(ref.track)); }

const char* name(Session::State state)
{
    static const char* const names[] = {"empty", "opening", "reading", "ready", "stopped", "failed"};
    return names[int(state)];
}

} // namespace

Report::Report(const QString& path, ViewContext& context, Session& session, std::function<void(QJsonObject&)> more, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_session(session)
    , m_more(std::move(more))
    , m_file(path)
{
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        return;
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &Report::write);
    TimeWindow& time = context.time();
    for (const auto signal : {&TimeWindow::fullChanged, &TimeWindow::visibleChanged, &TimeWindow::cursorChanged,
                              &TimeWindow::selectionChanged, &TimeWindow::rowChanged})
        connect(&time, signal, this, &Report::touch);
    connect(&context, &ViewContext::timelineChanged, this, &Report::countRows);
    connect(&context, &ViewContext::eventChanged, this, &Report::touch);
    connect(&context, &ViewContext::warningsChanged, this, &Report::touch);
    connect(&context.hits(), &SearchHits::changed, this, &Report::touch);
    connect(&context.hits(), &SearchHits::currentChanged, this, &Report::touch);
    connect(&context.bookmarks(), &Bookmarks::changed, this, &Report::touch);
    connect(&session, &Session::stateChanged, this, &Report::touch);
    connect(&Themes::instance(), &Themes::changed, this, &Report::touch);
    connect(qApp, &QApplication::focusChanged, this, &Report::touch);
    touch();
}

void Report::countRows()
{
    touch();
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_rows = 0;
        return m_job.cancel();
    }
    m_job.post([this, timeline](std::stop_token) -> LatestTask::Delivery {
        QHash<QString, QString> ids;
        int count = 0;
        for (const std::string& view : viewsOf(*timeline))
            for (const Row& row : rows(*timeline, view)) {
                ++count;
                if (row.ref.isValid())
                    ids.insert(key(row.ref), QString::fromStdString(row.id));
            }
        return [this, ids, count] {
            m_rowIds = ids;
            m_rows = count;
            touch();
        };
    });
}

QJsonObject Report::state() const
{
    const auto timeline = m_context.timeline();
    ViewContext& context = m_context;
    const TimeWindow& time = context.time();
    const SearchHits& hits = context.hits();
    const QWidget* focus = QApplication::focusWidget();
    QJsonObject line{
        {"state", name(m_session.state())},
        {"problem", m_session.problem()},
        {"complete", timeline && isComplete(*timeline)},
        {"rows", m_rows},
        {"full", text(time.full())},
        {"visible", text(time.visible())},
        {"selection", text(time.selection())},
        {"cursor", text(time.cursor())},
        {"row", time.row().isValid() ? m_rowIds.value(key(time.row())) : QString()},
        {"bookmarks", int(context.bookmarks().all().size())},
        {"hits", qint64(hits.hits().size())},
        {"searched", hits.isComplete()},
        {"hit", hits.current() ? qint64(*hits.current()) : -1},
        {"warnings", context.warnings()},
        {"theme", theme().isDark() ? "dark" : "light"},
        {"focus", focus ? (focus->objectName().isEmpty() ? QString(focus->metaObject()->className()) : focus->objectName()) : QString()}};
    m_more(line);
    return line;
}

void Report::write()
{
    const QByteArray line = QJsonDocument(state()).toJson(QJsonDocument::Compact);
    if (line == m_last)
        return;
    m_last = line;
    m_file.write(line + '\n');
    m_file.flush();
}

} // namespace helio
