#include "core/store/stacks/stack_section.h"

#include "core/store/file/byte_codec.h"

namespace helio {
namespace {

bool isTree(std::span<const StackNode> nodes)
{
    for (std::size_t i = 1; i < nodes.size(); ++i)
        if (static_cast<std::size_t>(nodes[i].parent()) >= i)
            return false;
    return !nodes.empty() && nodes.size() <= MaxStackNodes;
}

constexpr std::size_t LeastModuleBytes = 12; ///< Minimum size of an encoded module: one byte per field.
constexpr std::size_t LeastPlaceBytes = 3;

void encodeNames(const RecordedNames* names, ByteWriter& out)
{
    const std::size_t count = names ? names->size() : 0;
    out.put(count);
    for (std::size_t i = 0; i < count; ++i) {
        const RecordedName name = names->at(i);
        out.putText(name.function);
        out.putText(name.file);
        out.put(name.line);
    }
}

std::shared_ptr<const RecordedNames> readNames(ByteReader& in)
{
    const std::size_t count = in.getCount(LeastPlaceBytes);
    if (count == 0)
        return nullptr;
    auto names = std::make_shared<RecordedNames>();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        const auto function = in.getText();
        const auto file = in.getText();
        names->add({function, {}, false, file, in.get32()});
    }
    return names;
}

Module readModule(ByteReader& in)
{
    Module module;
    module.kind = Module::Kind(in.getByte());
    module.path = in.getText();
    module.buildId = in.getText();
    module.pid = static_cast<std::int32_t>(in.getSigned());
    module.begin = in.get();
    module.size = in.get();
    module.reference = in.get();
    module.referenceName = in.getText();
    module.textSize = in.get();
    module.release = in.getText();
    module.isLoadRelative = in.getByte() != 0;
    module.names = readNames(in);
    return module;
}

} // namespace

std::optional<StackTable> openStacks(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
{
    std::span<const StackNode> nodes;
    if (!castEntries(bytes, nodes) || !isTree(nodes))
        return {};
    return StackTable(nodes, std::move(owner));
}

void encodeModules(std::span<const Module> modules, ByteWriter& out)
{
    out.put(modules.size() - 1);
    for (const Module& module : modules.subspan(1)) {
        out.putByte(static_cast<std::uint8_t>(module.kind));
        out.putText(module.path);
        out.putText(module.buildId);
        out.putSigned(module.pid);
        out.put(module.begin);
        out.put(module.size);
        out.put(module.reference);
        out.putText(module.referenceName);
        out.put(module.textSize);
        out.putText(module.release);
        out.putByte(module.isLoadRelative ? 1 : 0);
        encodeNames(module.names.get(), out);
    }
}

bool decodeModules(std::span<const std::byte> bytes, std::vector<Module>& out)
{
    ByteReader in(bytes);
    const std::size_t count = in.getCount(LeastModuleBytes);
    if (count >= MaxModules)
        return false;
    out.assign(1, {});
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        out.push_back(readModule(in));
        if (out.back().kind > Module::Kind::GuestModule)
            return false;
    }
    return in.isAtEnd();
}

} // namespace helio
