#pragma once

#include "app/gui/common/program_theme.h"
#include "core/fleet/fleet_table.h"

#include <QMainWindow>
#include <QModelIndex>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

class QMenu;
class QSplitter;
class QStackedWidget;
class QTimer;
class QTreeView;

namespace helio {

class Actions;
class DockArea;
class DropOverlay;
class EmptyPage;
class FleetData;
class FleetDelegate;
class FleetDetailsPage;
class FleetFilterBar;
class FleetHead;
class FleetModel;
class FleetSqlPage;
class FleetStatus;
class HeaderBar;
class NoticeBar;
class WindowPalette;
struct SqlResult;

/// Window with the traces of a catalogue: figures over all of them, a table with the worst first, the details of the selected one, and
/// queries in SQL.
/// Threads: UI thread; the catalogue is read, filtered, searched and queried on others.
class FleetWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit FleetWindow(QWidget* parent = nullptr);
    ~FleetWindow() override;

    void open(const QString& catalogue);

    FleetData& data() { return *m_data; }
    FleetModel& model() { return *m_model; }
    QTreeView& table() { return *m_table; }
    Actions& actions() { return *m_actions; }
    FleetSqlPage& sql() { return *m_sql; }

signals:
    void openRequested(const QString& trace); ///< Emitted with the path of a trace on this machine that the user wants to see.
    void comparisonRequested(const QString& a, const QString& b); ///< Emitted with two such paths.

private:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool isNext) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    void makeParts();
    void makeTable();
    void wireConditions();
    void wireData();
    void showDetails(bool areShown);
    void bindFileActions();
    void bindOtherActions();

    void keepTraces(bool wasOfOneDay);
    void showFleet();
    void showList();
    void showFailure(const QString& reason);
    void showSelected();
    void updateEmptyText();
    void updateActions();
    void updateMarks();
    void takeCurrent(const QModelIndex& current);
    void restoreCurrent();
    void selectFirst();
    void selectNamed(const SqlResult& result, std::size_t row);
    void showSql();
    void toggleMark(std::size_t side);
    void fillMenu(QMenu& menu, const QModelIndex& cell);
    bool canOpen(std::uint32_t trace);
    void openTrace(std::uint32_t trace);
    void compare(std::uint32_t a, std::uint32_t b);
    QString pathOf(std::uint32_t trace) const;

    ProgramTheme m_theme; ///< Theme of the program. First member, because the widgets are created with its colours.
    FleetData* m_data;
    FleetModel* m_model;
    FleetDelegate* m_delegate;
    HeaderBar* m_header;
    Actions* m_actions;
    WindowPalette* m_palette = nullptr;
    NoticeBar* m_notice;
    FleetHead* m_head;
    FleetFilterBar* m_filter;
    QTreeView* m_table;
    EmptyPage* m_noTrace; ///< Page in place of the table, if no trace is listed.
    QStackedWidget* m_list;
    FleetDetailsPage* m_details;
    FleetSqlPage* m_sql;
    DockArea* m_dock;
    QSplitter* m_parts;
    EmptyPage* m_page; ///< Page in place of everything, if no catalogue is shown.
    QStackedWidget* m_stack;
    FleetStatus* m_status;
    QTimer* m_patience; ///< Runs while nothing explains why the catalogue is not read yet.
    DropOverlay* m_drop;
    bool m_isNarrow = false; ///< True if the window is too narrow to show the details unasked.
    QString m_shownPath; ///< Path of the catalogue that is shown.
    std::shared_ptr<const fleet::FleetTable> m_shownTable; ///< Table to which the indexes below belong.
    std::optional<std::uint32_t> m_current; ///< Selected trace, as an index into the table.
    std::array<std::optional<std::uint32_t>, 2> m_marked; ///< Traces with the marks A and B, as indexes into the table.
};

} // namespace helio
