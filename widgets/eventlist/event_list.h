#pragma once

#include "widgets/eventlist/event_model.h"

#include <QWidget>

class QMenu;
class QScrollBar;
class QTableView;

namespace helio {

/// A table of events, of any length: only the lines on screen exist. Arrow keys, paging and the wheel move through it; with Shift they take
/// lines to the chosen one, to be copied.
class EventList : public QWidget {
    Q_OBJECT

public:
    explicit EventList(QWidget* parent = nullptr);

    EventPages& pages() { return m_pages; }
    EventModel& model() { return m_model; }

    std::optional<std::uint64_t> current() const { return m_current; }
    /// Selects the line and brings it into view; no chosen() follows.
    void setCurrent(std::optional<std::uint64_t> position);
    /// A column shows each event's host: where there are several.
    void showHosts(bool isShown);
    /// Fields with a column of their own, before the one that has all of them; names that no event has make empty ones.
    const QStringList& fieldColumns() const { return m_model.fieldColumns(); }
    void setFieldColumns(QStringList names);
    static constexpr int MostFieldColumns = 24;
    void scrollTo(std::uint64_t position); ///< In the middle, unless it is in view.

    /// The lines that are taken together, first and last; both current() where it is one.
    std::optional<std::pair<std::uint64_t, std::uint64_t>> taken() const;
    /// To the clipboard, MostCopied lines at most: tabs between cells, or csv.
    void copyTaken(bool asCsv);
    static constexpr std::size_t MostCopied = 100'000;
    /// The context menu offers to filter by the value under the pointer.
    void setOffersFilter(bool offers) { m_offersFilter = offers; }

signals:
    /// A person chose this line; its row may come later.
    void chosen(quint64 position);
    /// current() is another line, whoever set it.
    void currentChanged();
    /// From the context menu: only what matches this shall be listed, too.
    void filterWished(const QString& expression);
    void copied(int lines);
    void menuOpens(QMenu& menu); ///< Of the chosen lines; more may be added at its end.
    void fieldColumnsChanged();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool handleKey(int key, bool extends);
    void choose(std::uint64_t position, bool extends = false);
    void showMenu(QPoint at);
    void addFilters(QMenu& menu, const EventRow& row, int column, int x);
    QString fieldUnder(const EventRow& row, int column, int x) const;
    void addColumnChoices(QMenu& menu, const QStringList& fields);
    void showHeaderMenu(QPoint at);
    void toggleColumn(const QString& field);
    void showKnownColumns();
    int widthFor(int column) const;
    bool isTaken(std::uint64_t position) const;
    void updateRange();
    void moveTo(std::uint64_t first);
    void showCurrent();
    void updateLook();
    int linesOnScreen() const;
    std::uint64_t lastFirst() const;

    EventPages m_pages;
    EventModel m_model;
    QTableView* m_table;
    QScrollBar* m_bar;
    std::optional<std::uint64_t> m_current;
    std::optional<std::uint64_t> m_anchor; ///< Where taking lines began.
    bool m_offersFilter = false;
    std::uint64_t m_first = 0;
    int m_wheel = 0;
    bool m_isMoving = false;
};

} // namespace helio
