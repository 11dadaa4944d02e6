#include "core/formats/perfetto/call_stacks.h"

namespace helio::perfetto {
namespace {

/// Largest number of frames in a call stack; only damaged files contain more.
constexpr std::size_t MostFrames = 4096;

constexpr std::size_t LongestPath = 4096; ///< Size in bytes at which the path of a mapped file is cut; Linux has no longer ones.

/// Returns the path of the mapped file with the interning ID `mapping`. The trace interns each part of a path separately.
std::string pathOf(const PacketSequence& sequence, std::uint64_t mapping)
{
    std::string path;
    const auto entry = sequence.findInterned(interned::Mappings, mapping);
    if (!entry)
        return path;
    std::size_t parts = 0;
    forEachField(*entry, [&](const WireField& field) {
        if (field.number == 7)
            forEachNumber(field, [&](std::uint64_t part) {
                if (path.size() < LongestPath) {
                    const auto text = sequence.findText(interned::MappingPaths, part).value_or(std::string_view());
                    (path += ++parts > 1 ? "/" : "") += text.substr(0, LongestPath);
                }
            });
    });
    // A path with several parts is absolute: the parts of "/system/lib/libc.so" are "system", "lib" and "libc.so".
    return parts > 1 && !path.starts_with('/') ? '/' + path : path;
}

StackFrame findFrame(const PacketSequence& sequence, std::uint64_t number)
{
    StackFrame frame;
    const auto entry = sequence.findInterned(interned::Frames, number);
    if (!entry)
        return frame;
    forEachField(*entry, [&](const WireField& field) {
        switch (field.number) {
        case 2: frame.function = sequence.findText(interned::FunctionNames, field.value).value_or(std::string_view()); break;
        case 3: frame.module = field.value != 0 ? pathOf(sequence, field.value) : std::string(); break;
        case 4: frame.address = field.value; break;
        case 5: frame.file = sequence.findText(interned::SourcePaths, field.value).value_or(std::string_view()); break;
        case 6: frame.line = field.uint32(); break;
        default: break;
        }
    });
    return frame;
}

} // namespace

std::vector<StackFrame> findFrames(const PacketSequence& sequence, std::uint64_t callstack)
{
    std::vector<StackFrame> frames;
    if (const auto entry = sequence.findInterned(interned::Callstacks, callstack))
        forEachField(*entry, [&](const WireField& field) {
            if (field.number == 2)
                forEachNumber(field, [&](std::uint64_t number) {
                    if (frames.size() < MostFrames)
                        frames.push_back(findFrame(sequence, number));
                });
        });
    return frames;
}

CallStacks::CallStacks()
    : m_modules(1)
    , m_tree(1)
{
}

ModuleId CallStacks::moduleOf(const std::string& path)
{
    const auto [found, isNew] = m_moduleIndex.try_emplace(path, ModuleId{static_cast<std::uint32_t>(m_modules.size())});
    if (isNew) {
        Module& module = m_modules.emplace_back();
        module.kind = path.empty() ? Module::Kind::Unknown : Module::Kind::File;
        if (path.starts_with("/kernel") || path.starts_with("[kernel"))
            module.kind = Module::Kind::Kernel;
        module.path = path;
        module.names = m_names;
    }
    return found->second;
}

CallStacks::Place CallStacks::placeOf(const StackFrame& frame)
{
    if (frame.function.empty() && frame.module.empty() && frame.address == 0)
        return {};
    std::string function(frame.function);
    if (function.empty() && frame.address != 0) // A frame without a function name is named by its address in the module.
        function = "0x" + [](std::uint64_t number) {
            std::string digits;
            for (; number > 0 || digits.empty(); number >>= 4)
                digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
            return digits;
        }(frame.address);
    const std::string key = frame.module + '\0' + function + '\0' + std::string(frame.file) + '\0' + std::to_string(frame.line);
    const auto [found, isNew] = m_places.try_emplace(key);
    if (isNew)
        found->second = {moduleOf(frame.module), m_names->add({function, {}, false, frame.file, frame.line})};
    return found->second;
}

std::uint32_t CallStacks::nodeOf(const PacketSequence& sequence, std::uint64_t callstack)
{
    const auto entry = sequence.findInterned(interned::Callstacks, callstack);
    if (!entry)
        return 0;
    const auto [known, isNew] = m_known.try_emplace(entry->data(), 0);
    if (!isNew)
        return known->second;
    std::uint32_t node = 0;
    for (const StackFrame& frame : findFrames(sequence, callstack)) {
        const Place place = placeOf(frame);
        const auto found = m_nodes.find({node, place});
        if (found != m_nodes.end()) {
            node = found->second;
            continue;
        }
        if (m_tree.size() >= MostNodes) {
            m_isCut = true;
            break;
        }
        m_nodes.emplace(std::pair(node, place), static_cast<std::uint32_t>(m_tree.size()));
        m_tree.push_back({node, place.module, place.number});
        node = static_cast<std::uint32_t>(m_tree.size() - 1);
    }
    return known->second = node;
}

} // namespace helio::perfetto
