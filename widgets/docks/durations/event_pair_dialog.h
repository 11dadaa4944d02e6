#pragma once

#include "core/latency/pairs/event_pairs.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace helio {

/// Dialog for a pair of event types and a field of each. The pair measures durations: from an event of the first type to the next event of
/// the second type whose field has the same value.
/// Threads: UI thread.
class EventPairDialog : public QDialog {
    Q_OBJECT

public:
    /// `events`: field names by event, from pairableEvents(). `pair`: initial choice; events and fields that `events` lacks are ignored.
    EventPairDialog(std::map<std::string, std::set<std::string>> events, const EventPairLatency& pair, QWidget* parent = nullptr);

    /// Returns the chosen pair; nullopt until both events and both fields are chosen.
    std::optional<EventPairLatency> pair() const;

private:
    struct Half {
        QComboBox* event;
        QComboBox* field;
    };
    Half makeHalf(const EventField& chosen);
    void listFields(const Half& half, const Half& other);
    std::optional<EventField> fieldIn(const Half& half) const;
    void check();

    std::map<std::string, std::set<std::string>> m_events;
    Half m_first;
    Half m_last;
    QLabel* m_words;
    QPushButton* m_ok = nullptr;
};

} // namespace helio
