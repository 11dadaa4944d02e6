#include "widgets/timeline/curves/own_scales.h"

namespace helio {

bool OwnScales::apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps)
{
    std::map<QString, ValueRange> values;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].scale = {}; !lines[i].isHidden)
            values[lines[i].title].add(ranges[i]);
    if (values.size() < 2)
        return false;
    for (auto& [title, range] : values) {
        ValueScale& scale = m_scales[title];
        if (scale.isValid() && !range.isEmpty() && !isWholeKnown)
            range.add({scale.low, scale.high});
        scale = followed(scale, range, steps);
    }
    for (CurveLine& line : lines)
        if (const auto own = m_scales.find(line.title); !line.isHidden && own != m_scales.end())
            line.scale = own->second.isValid() ? own->second : ValueScale{0, 1};
    return true;
}

} // namespace helio
