#pragma once

// The call stack panel on synthetic calls, and its picture, for tests.

#include "core/query/rows/row_lookup.h"
#include "tests/support/made_calls.h"
#include "tests/support/test_program.h"
#include "widgets/theme/module_colors.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/panel_header.h"
#include "widgets/timeline/graph/tips/state_tip.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace helio {

constexpr const char* View = "call-stack";

inline Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }
inline TimeRange between(std::int64_t begin, std::int64_t end) { return {at(begin), at(end)}; }

inline std::vector<GraphRow> shownRows(const Timeline& timeline)
{
    RowTree tree;
    ViewRows found = makeViewRows(timeline, View);
    tree.setRows(std::move(found.rows));
    return makeGraphRows(tree, found.beside);
}

inline TrackRef depthOf(const Timeline& timeline, const std::string& key)
{
    for (const Row& row : rows(timeline, View))
        if (row.id == key)
            return row.ref;
    return {};
}

class Picture {
public:
    Picture()
        : m_theme(Theme::make(Theme::Kind::Dark))
    {
        RenderRequest request;
        request.timeline = MadeCalls::make();
        request.view = View;
        request.window = between(0, 4000);
        request.size = {1300, 300};
        request.labelWidth = 300;
        m_image = renderView(request, m_theme);
    }
    /// Colour of the picture at a time and `y` pixels below the ruler.
    QColor at(int y, int ns) const { return m_image.pixelColor(300 + ns / 4, 30 + y); }
    const Theme& theme() const { return m_theme; }

private:
    Theme m_theme;
    QImage m_image;
};

/// Finds an action by its text in a menu and its submenus; nullptr if there is none.
inline QAction* lineOf(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions()) {
        if (action->text() == text)
            return action;
        if (QAction* below = action->menu() ? lineOf(*action->menu(), text) : nullptr)
            return below;
    }
    return nullptr;
}

/// Appends the texts of all actions in a menu and its submenus.
inline void addLines(const QMenu& menu, QStringList& lines)
{
    for (const QAction* action : menu.actions()) {
        lines << action->text();
        if (action->menu())
            addLines(*action->menu(), lines);
    }
}

/// The time panels of a window that shows the synthetic calls.
struct Shown {
    Shown()
        : area(context)
    {
        area.resize(1300, 900);
        area.show();
        context.setTimeline(timeline);
        if (!QTest::qWaitFor([&] { return panel() && graph().rows().count() == 7; }))
            qFatal("no rows");
        window().setVisible(between(0, 4000));
    }
    TrackPanel* panel() { return area.rowsPanel(View); }
    TimeGraph& graph() { return *panel()->graph(); }
    TimeWindow& window() { return area.axis().window(); }
    TrackRef depth(const std::string& key) const { return depthOf(*timeline, key); }

    void press(Qt::Key key) { QTest::keyClick(&graph(), key); }
    void click(int row, std::int64_t ns)
    {
        const GraphRows& rows = graph().rows();
        const int label = area.axis().labelWidth();
        const int x = label + int(area.axis().scale(graph().width()).xAt(at(ns)));
        QTest::mouseClick(&graph(), Qt::LeftButton, {}, {x, rows.top(row) + rows.metrics(row).baseline() - 4});
    }
    QColor colorAt(int row, std::int64_t ns)
    {
        const QImage image = graph().grab().toImage();
        const GraphRows& rows = graph().rows();
        const int x = area.axis().labelWidth() + int(area.axis().scale(graph().width()).xAt(at(ns)));
        // Reads the pixel 3 to the right of the time's position, because the cursor line may cover the position.
        return image.pixelColor(x + 3, rows.top(row) + rows.metrics(row).baseline() - 2);
    }
    QStringList menuLines(TrackRef row)
    {
        QMenu menu;
        panel()->addRowActions(menu, row);
        QStringList lines;
        addLines(menu, lines);
        return lines;
    }
    void choose(TrackRef row, const QString& line)
    {
        QMenu menu;
        panel()->addRowActions(menu, row);
        if (QAction* action = lineOf(menu, line))
            return action->trigger();
        QFAIL(qPrintable(line));
    }

    std::shared_ptr<const Timeline> timeline = MadeCalls::make();
    ViewContext context;
    TimeArea area;
};

} // namespace helio
