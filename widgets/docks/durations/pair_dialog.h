#pragma once

#include "core/latency/pairs/event_pairs.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace helio {

/// Asks for two events and a field of each: what lasts from the first to the next second one with the same value. UI thread.
class PairDialog : public QDialog {
    Q_OBJECT

public:
    /// `events`: as pairableEvents() says. `pair`: what is there at first, as far as these have it.
    PairDialog(std::map<std::string, std::set<std::string>> events, const EventPairs& pair, QWidget* parent = nullptr);

    /// Nothing while something is missing.
    std::optional<EventPairs> pair() const;

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
