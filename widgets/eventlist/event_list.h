#pragma once

#include "widgets/eventlist/event_model.h"

#include <QWidget>

class QScrollBar;
class QTableView;

namespace helio {

/// A table of events, of any length: only the lines on screen exist. Arrow keys, paging and the wheel move through it.
class EventList : public QWidget {
    Q_OBJECT

public:
    explicit EventList(QWidget* parent = nullptr);

    EventPages& pages() { return m_pages; }
    EventModel& model() { return m_model; }

    std::optional<std::uint64_t> current() const { return m_current; }
    /// Selects the line and brings it into view; no chosen() follows.
    void setCurrent(std::optional<std::uint64_t> position);
    /// A column tells each event's host: where there are several.
    void showHosts(bool isShown);
    void scrollTo(std::uint64_t position); ///< In the middle, unless it is in view.

signals:
    /// A person chose this line; its row may come later.
    void chosen(quint64 position);
    /// current() is another line, whoever set it.
    void currentChanged();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool handleKey(int key);
    void choose(std::uint64_t position);
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
    std::uint64_t m_first = 0;
    int m_wheel = 0;
    bool m_isMoving = false;
};

} // namespace helio
