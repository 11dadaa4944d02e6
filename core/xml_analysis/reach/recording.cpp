#include "core/xml_analysis/reach/recording.h"

#include "core/trace/recording_advice.h"

namespace helio::xml {

std::vector<std::string> inWords(const std::vector<std::string>& patterns)
{
    std::vector<std::string> words;
    for (const std::string& pattern : patterns)
        words.push_back(isEventName(pattern) ? pattern : "any matching " + pattern);
    return words;
}

} // namespace helio::xml
