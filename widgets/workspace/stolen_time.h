#pragma once

#include <QObject>

namespace helio {

class ViewContext;

/// Whether numbers of guests' rows leave out what was stolen of them, which the guests do not know; at first they are as recorded. One for
/// each context, which owns it. UI thread.
class StolenTime : public QObject {
    Q_OBJECT

public:
    static StolenTime& of(ViewContext& context);

    bool isCounted() const { return m_isCounted; } ///< It is no time on a CPU.
    void setCounted(bool isCounted);

signals:
    void changed();

private:
    explicit StolenTime(QObject* parent)
        : QObject(parent)
    {
    }

    bool m_isCounted = false;
};

} // namespace helio
