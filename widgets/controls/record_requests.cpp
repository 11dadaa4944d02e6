#include "widgets/controls/record_requests.h"

#include "core/recording/preset_advice.h"

namespace helio {

RecordRequests& RecordRequests::instance()
{
    static RecordRequests requests;
    return requests;
}

QString RecordRequests::presetFor(const QString& message)
{
    return instance().m_isAvailable ? QString::fromStdString(presetForMessage(message.toStdString())) : QString();
}

} // namespace helio
